// SPDX-License-Identifier: LGPL-2.1-or-later
// Draws the data of a report.  All text of the stream and of file names goes through textContent.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);

// ---- words and numbers ----

const count = value => Math.round(value).toLocaleString('en');
const plural = (n, word) => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
const seconds = value => value === null || value === undefined ? '' : value.toFixed(3);

function short(value) {
  const units = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
  for (const [size, letter] of units)
    if (Math.abs(value) >= size)
      return `${(value / size).toPrecision(3)} ${letter}`;
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function makeSvg(tag, attributes) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    node.setAttribute(name, value);
  return node;
}

const color = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Cells that are numbers stand at the right.
function addRow(body, cells, className) {
  const row = make('tr', className ? { class: className } : {});
  for (const cell of cells) {
    const isNumber = typeof cell === 'object';
    row.append(make('td', { class: isNumber ? 'number' : 'text' }, isNumber ? cell.number : cell));
  }
  body.append(row);
}

const number = text => ({ number: String(text) });

// ---- head, messages, flags ----

function showHead() {
  const { frames, pictures, output, corrupted, seconds: took } = data.summary;
  const facts = new Map(data.facts);
  const said = [facts.get('Video'), plural(output, 'frame') + ' came out'];
  if (pictures > frames)
    said.push(`${plural(pictures, 'picture')} in ${plural(frames, 'frame')}`);
  if (corrupted > 0)
    said.push(`${count(corrupted)} flagged as corrupted`);
  said.push(`${took.toFixed(2)} s`);
  if (facts.has('Decoded on'))
    said.push(`decoded on ${facts.get('Decoded on')}`);
  byId('summary').textContent = said.filter(Boolean).join(' · ');
  const list = byId('facts').querySelector('dl');
  for (const [name, value] of data.facts)
    list.append(make('dt', {}, name), make('dd', {}, value));
}

function showMessages() {
  if (data.messages.length === 0)
    return;
  const section = byId('messages');
  section.hidden = false;
  for (const message of data.messages) {
    const times = message.count > 1 ? `${message.first.toFixed(2)} to ${message.last.toFixed(2)}` : message.first.toFixed(2);
    addRow(section.querySelector('tbody'), [message.kind, message.source, message.text, number(times), number(message.frame),
      number(count(message.count))], message.kind);
  }
  section.querySelector('.note').textContent = 'Seconds are counted from when decoding began; the frame is how many had been read by then.' +
    (data.more_messages > 0 ? ` ${plural(data.more_messages, 'further message')} had no room here.` : '');
}

function describeRun(run) {
  const range = run.first === run.last ? `${run.first}` : `${run.first} to ${run.last}`;
  if (run.from === null)
    return range;
  return `${range} (${seconds(run.from)}${run.first === run.last ? '' : ` to ${seconds(run.to)}`})`;
}

function showFlags() {
  if (data.flags.length === 0)
    return;
  const section = byId('flags');
  section.hidden = false;
  for (const flag of data.flags) {
    const listed = flag.runs.reduce((sum, run) => sum + run.last - run.first + 1, 0);
    const runs = flag.runs.map(describeRun).join(', ') + (listed < flag.count ? ', and more' : '');
    addRow(section.querySelector('tbody'), [flag.flag, number(count(flag.count)), runs]);
  }
}

// ---- the frame ----

const KINDS = [
  { name: 'Intra 4x4', color: 'i4x4' }, { name: 'Intra 8x8', color: 'i8x8' }, { name: 'Intra 16x16', color: 'i16x16' },
  { name: 'I_PCM', color: 'ipcm' }, { name: 'Inter, list 0', color: 'list0' }, { name: 'Inter, list 1', color: 'list1' },
  { name: 'Inter, both lists', color: 'both' },
];
const FIELD = 1, TRANSFORM_8X8 = 2, LOSSLESS = 4, NO_RESIDUAL = 8;
const FILLS = [['kinds', 'kinds'], ['coefficients', 'coefficients'], ['qp', 'quantiser'], ['none', 'nothing']];
const LAYERS = [['image', 'image', true], ['partitions', 'partitions', true], ['list0', 'vectors of list 0', true],
  ['list1', 'vectors of list 1', true], ['slices', 'slice borders', false]];
const VECTOR_COLORS = ['#ffe04a', '#5ef0ff'];
const PARTITION_NUMBERS = 13;

const frame = data.frame;
const view = { picture: null, plane: null, scale: 1, image: null, selected: -1, partitionsOf: null };

// Where a macroblock lies in the frame: x, y of its first line, and the distance of its lines (6.4.1)
function place(address) {
  const { width_in_mbs: width, mbaff, structure } = view.picture;
  if (mbaff) {
    const pair = address >> 1, bottom = address & 1, field = view.plane.flagsOf[address] & FIELD;
    return { x: pair % width * 16, y: Math.floor(pair / width) * 32 + (field ? bottom : bottom * 16), step: field ? 2 : 1 };
  }
  const row = Math.floor(address / width), x = address % width * 16;
  return structure === 'frame' ? { x, y: row * 16, step: 1 } : { x, y: row * 32 + (structure === 'bottom field' ? 1 : 0), step: 2 };
}

function addressAt(x, y) {
  const { width_in_mbs: width, height_in_mbs: height, mbaff, structure } = view.picture;
  const column = Math.floor(x / 16);
  const rowHeight = mbaff || structure !== 'frame' ? 32 : 16, row = Math.floor(y / rowHeight);
  if (column < 0 || column >= width || row < 0 || row >= (mbaff ? height / 2 : height))
    return -1;
  if (!mbaff)
    return row * width + column;
  const top = 2 * (row * width + column), inPair = Math.floor(y) % 32;
  return top + (view.plane.flagsOf[top] & FIELD ? inPair & 1 : inPair >> 4);
}

// The partitions of macroblocks, as [first, behind the last] by address
function indexPartitions(plane) {
  const ranges = new Map();
  for (let i = 0; i < plane.partitions.length; i += PARTITION_NUMBERS) {
    const range = ranges.get(plane.partitions[i]);
    if (range)
      range[1] = i + PARTITION_NUMBERS;
    else
      ranges.set(plane.partitions[i], [i, i + PARTITION_NUMBERS]);
  }
  return ranges;
}

function choosePicture(index) {
  const [picture, plane] = view.choices[index];
  view.picture = picture;
  view.plane = plane;
  plane.flagsOf = plane.flagsOf || Array.from(plane.flags, digit => parseInt(digit, 16));
  plane.ranges = plane.ranges || indexPartitions(plane);
  view.selected = -1;
  byId('macroblock').textContent = 'Point at a macroblock, or move among them with the arrow keys, to read what it is.';
  showKinds();
  draw();
}

function showKinds() {
  const { plane } = view, body = byId('kinds').querySelector('tbody'), total = plane.kinds.length;
  const rows = KINDS.map(() => ({ n: 0, empty: 0, levels: 0 }));
  for (let i = 0; i < total; i++) {
    const row = rows[plane.kinds.charCodeAt(i) - 48];
    row.n++;
    row.empty += plane.flagsOf[i] & NO_RESIDUAL ? 1 : 0;
    row.levels += plane.levels[i];
  }
  body.replaceChildren();
  rows.forEach((row, kind) => {
    if (row.n > 0)
      addRow(body, [KINDS[kind].name, number(count(row.n)), number(`${(100 * row.n / total).toFixed(1)} %`), number(count(row.empty)),
        number(count(row.levels))]);
  });
}

const isOn = name => byId(`layer-${name}`).checked;
const fill = () => document.querySelector('input[name=fill]:checked').value;

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

// From little to much: dark blue, red, yellow
function heat(share) {
  const stops = [[18, 16, 92], [176, 42, 90], [249, 150, 60], [255, 245, 160]];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  const mix = stops[i].map((value, k) => Math.round(value + (stops[i + 1][k] - value) * (at - i)));
  return `rgb(${mix})`;
}

function fillMacroblock(context, address) {
  const { x, y, step } = place(address);
  if (step === 1 || !view.picture.mbaff)
    context.fillRect(x, y - (step === 2 ? y & 1 : 0), 16, 16 * step);
  else
    for (let line = 0; line < 16; line++)
      context.fillRect(x, y + line * 2, 16, 1);
}

function drawFill(context) {
  const { plane } = view, what = fill(), total = plane.kinds.length;
  if (what === 'none')
    return;
  const colors = KINDS.map(kind => color(kind.color));
  const values = what === 'qp' ? plane.qp : plane.levels;
  const [low, high] = what === 'kinds' ? [0, 0] : range(values);
  const opacity = isOn('image') && frame.image ? 1 : 1.6;
  for (let i = 0; i < total; i++) {
    if (what === 'kinds') {
      context.globalAlpha = opacity * (plane.flagsOf[i] & NO_RESIDUAL ? 0.2 : 0.5);
      context.fillStyle = colors[plane.kinds.charCodeAt(i) - 48];
    } else {
      const share = high > low ? (values[i] - low) / (high - low) : 0;
      context.globalAlpha = Math.min(1, opacity * 0.62);
      context.fillStyle = heat(what === 'coefficients' ? Math.sqrt(share) : share);
    }
    fillMacroblock(context, i);
  }
  context.globalAlpha = 1;
}

function eachPartition(visit) {
  const { partitions } = view.plane;
  for (let i = 0; i < partitions.length; i += PARTITION_NUMBERS) {
    const { x, y, step } = place(partitions[i]);
    visit(i, x + partitions[i + 1], y + partitions[i + 2] * step, partitions[i + 3], partitions[i + 4] * step, step);
  }
}

// 1 where macroblocks are large enough for what is drawn in them, down to 0.15: small ones would vanish below it
const roominess = () => Math.min(1, Math.max(0.15, (16 * view.zoom - 6) / 12));

function drawPartitions(context) {
  const inner = new Path2D(), outer = new Path2D();
  eachPartition((i, x, y, width, height) => inner.rect(x, y, width, height));
  for (let i = 0; i < view.plane.kinds.length; i++) {
    const { x, y, step } = place(i);
    outer.rect(x, y - (step === 2 ? y & 1 : 0), 16, 16 * step);
  }
  context.lineWidth = 1 / view.scale;
  context.strokeStyle = `rgba(255, 255, 255, ${0.22 * roominess()})`;
  context.stroke(outer);
  context.strokeStyle = `rgba(255, 255, 255, ${0.6 * roominess()})`;
  context.stroke(inner);
}

// From the middle of a partition to where its samples come from
function drawVectors(context, list) {
  const lines = new Path2D(), dots = new Path2D(), { partitions } = view.plane;
  const thickness = 0.35 + 0.65 * roominess(), radius = 1.3 * thickness / view.scale;
  eachPartition((i, x, y, width, height, step) => {
    const at = i + 5 + 4 * list;
    if (partitions[at] < 0)
      return;
    const fromX = x + width / 2, fromY = y + height / 2;
    lines.moveTo(fromX, fromY);
    lines.lineTo(fromX + partitions[at + 1] / 4, fromY + partitions[at + 2] / 4 * step);
    dots.rect(fromX - radius, fromY - radius, 2 * radius, 2 * radius);
  });
  context.globalAlpha = 0.5 + 0.5 * roominess();
  context.strokeStyle = 'rgba(0, 0, 0, .55)';
  context.lineWidth = 2.6 * thickness / view.scale;
  context.stroke(lines);
  context.strokeStyle = context.fillStyle = VECTOR_COLORS[list];
  context.lineWidth = 1.3 * thickness / view.scale;
  context.stroke(lines);
  context.fill(dots);
  context.globalAlpha = 1;
}

// Where macroblocks beside each other are of different slices
function drawSlices(context) {
  const borders = new Path2D(), { plane } = view;
  for (let i = 0; i < plane.slice.length; i++) {
    const { x, y, step } = place(i), top = y - (step === 2 ? y & 1 : 0), height = 16 * step;
    const left = addressAt(x - 1, y), above = addressAt(x, top - 1);
    if (left >= 0 && plane.slice[left] !== plane.slice[i]) {
      borders.moveTo(x, top);
      borders.lineTo(x, top + height);
    }
    if (above >= 0 && plane.slice[above] !== plane.slice[i]) {
      borders.moveTo(x, top);
      borders.lineTo(x + 16, top);
    }
  }
  context.lineWidth = 2 / view.scale;
  context.strokeStyle = '#ff2fd0';
  context.stroke(borders);
}

function drawSelected(context) {
  if (view.selected < 0)
    return;
  const { x, y, step } = place(view.selected);
  context.lineWidth = 2 / view.scale;
  context.strokeStyle = '#ffffff';
  context.strokeRect(x, y - (step === 2 ? y & 1 : 0), 16, 16 * step);
}

// The canvas has a pixel for each of the screen, as far as browsers make canvases that large.
function sizeCanvas(canvas) {
  const wanted = Number(byId('zoom').value), room = byId('canvas-box').clientWidth;
  const zoom = wanted || Math.min(room / frame.width, Math.max(0.75 * window.innerHeight, 240) / frame.height, 4);
  const ratio = Math.min(window.devicePixelRatio || 1, 8192 / (Math.max(frame.width, frame.height) * zoom));
  canvas.style.width = `${Math.max(1, Math.round(frame.width * zoom))}px`;
  canvas.style.height = `${Math.max(1, Math.round(frame.height * zoom))}px`;
  canvas.width = Math.max(1, Math.round(frame.width * zoom * ratio));
  canvas.height = Math.max(1, Math.round(frame.height * zoom * ratio));
  view.zoom = zoom;
  return zoom * ratio;
}

function draw() {
  const canvas = byId('canvas'), scale = sizeCanvas(canvas), context = canvas.getContext('2d');
  view.scale = scale / (window.devicePixelRatio || 1);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = '#808080';
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (view.image && isOn('image')) {
    context.imageSmoothingEnabled = scale < 2;
    // colours are those of the picture, or those of the macroblocks
    context.filter = fill() === 'none' ? 'none' : 'grayscale(1)';
    context.drawImage(view.image, 0, 0, canvas.width, canvas.height);
    context.filter = 'none';
  }
  context.setTransform(scale, 0, 0, scale, -frame.crop_x * scale, -frame.crop_y * scale);
  drawFill(context);
  if (isOn('partitions'))
    drawPartitions(context);
  if (isOn('slices'))
    drawSlices(context);
  for (const list of [0, 1])
    if (isOn(`list${list}`))
      drawVectors(context, list);
  view.base = view.base || document.createElement('canvas');
  view.base.width = canvas.width;
  view.base.height = canvas.height;
  view.base.getContext('2d').drawImage(canvas, 0, 0);
  drawSelected(context);
  showLegend();
}

// The selected macroblock over what draw() has drawn
function drawSelection() {
  const context = byId('canvas').getContext('2d'), transform = context.getTransform();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(view.base, 0, 0);
  context.setTransform(transform);
  drawSelected(context);
}

const key = (style, text) => make('div', { class: 'key' }, make('span', { class: 'swatch', style, 'aria-hidden': 'true' }), text);

function rampKey(values, unit) {
  const [low, high] = range(values);
  const ramp = make('span', { class: 'swatch ramp', 'aria-hidden': 'true',
    style: `background: linear-gradient(to right, ${[0, 1, 2, 3].map(i => heat(i / 3)).join(', ')})` });
  return make('div', { class: 'key' }, ramp, `${low} to ${high} ${unit}`);
}

function usesList(list) {
  const { partitions } = view.plane;
  for (let i = 5 + 4 * list; i < partitions.length; i += PARTITION_NUMBERS)
    if (partitions[i] >= 0)
      return true;
  return false;
}

function showLegend() {
  const legend = byId('legend'), what = fill(), { plane } = view;
  legend.replaceChildren();
  if (what === 'kinds') {
    KINDS.forEach((kind, i) => {
      if (plane.kinds.includes(String(i)))
        legend.append(key(`background: var(--${kind.color})`, kind.name));
    });
    legend.append(key('background: linear-gradient(to right, var(--soft), transparent)', 'pale: without residual'));
  } else if (what !== 'none') {
    legend.append(what === 'qp' ? rampKey(plane.qp, '(QPY)') : rampKey(plane.levels, 'coefficients a macroblock'));
  }
  if (isOn('partitions') && plane.partitions.length > 0)
    legend.append(key('background: #808080; border: 2px solid #ffffff; outline: 1px solid var(--line)', 'partitions with motion of their own'));
  for (const list of [0, 1])
    if (isOn(`list${list}`) && usesList(list))
      legend.append(key(`background: ${VECTOR_COLORS[list]}`, `vectors of list ${list}, to where the samples come from`));
  if (isOn('slices'))
    legend.append(key('background: #ff2fd0', 'slice borders'));
}

function describeReference(at, list) {
  const { partitions } = view.plane, [index, x, y, distance] = partitions.slice(at, at + 4);
  if (index < 0)
    return '';
  const where = distance === null ? 'a missing frame' : distance === 0 ? 'the other field of this frame'
    : `${plural(Math.abs(distance), 'frame')} ${distance > 0 ? 'before' : 'after'}`;
  return `list ${list}: (${x / 4}, ${y / 4}) from refIdx ${index}, ${where}`;
}

function describePartition(i) {
  const { partitions } = view.plane;
  const references = [0, 1].map(list => describeReference(i + 5 + 4 * list, list)).filter(Boolean).join('; ');
  return `${partitions[i + 3]}x${partitions[i + 4]} at (${partitions[i + 1]}, ${partitions[i + 2]}): ${references}`;
}

function describeMacroblock(address) {
  const { plane, picture } = view, flags = plane.flagsOf[address], { x, y } = place(address);
  const slice = picture.slices[plane.slice[address]];
  const said = [`Macroblock ${address} at (${x - frame.crop_x}, ${y - frame.crop_y}): ${KINDS[plane.kinds.charCodeAt(address) - 48].name}`];
  if (picture.mbaff)
    said.push(flags & FIELD ? 'field macroblock' : 'frame macroblock');
  if (flags & TRANSFORM_8X8)
    said.push('8x8 transform');
  if (flags & LOSSLESS)
    said.push('lossless');
  said.push(`QP ${plane.qp[address]}`, flags & NO_RESIDUAL ? 'no residual' : plural(plane.levels[address], 'coefficient'));
  if (slice)
    said.push(`slice ${plane.slice[address]} (${slice.type})`);
  const lines = [said.join(', ')], range = plane.ranges.get(address);
  for (let i = range ? range[0] : 0; range && i < range[1]; i += PARTITION_NUMBERS)
    lines.push(describePartition(i));
  return lines.join('\n');
}

function select(address) {
  if (address < 0 || address >= view.plane.kinds.length || address === view.selected)
    return;
  view.selected = address;
  byId('macroblock').textContent = describeMacroblock(address);
  drawSelection();
}

function onPointer(event) {
  const box = byId('canvas').getBoundingClientRect();
  select(addressAt((event.clientX - box.left) / view.zoom + frame.crop_x, (event.clientY - box.top) / view.zoom + frame.crop_y));
}

function onKey(event) {
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, move = moves[event.key];
  if (!move)
    return;
  event.preventDefault();
  if (view.selected < 0) {
    select(0);
    return;
  }
  const { x, y, step } = place(view.selected), field = step === 2 && view.picture.mbaff;
  // from field to field of a pair, and from pair to pair, else from row to row
  const inPair = field ? y & 1 : 0, down = move[1] > 0;
  if (field && move[1] !== 0 && (inPair === 1) !== down)
    select(addressAt(x, y + move[1]));
  else
    select(addressAt(x + 16 * move[0], move[1] === 0 ? y : down ? y - inPair + 16 * step : y - inPair - 1));
}

function makeChoices() {
  view.choices = [];
  for (const picture of frame.pictures)
    picture.planes.forEach((plane, i) => {
      const name = `${picture.structure}${picture.mbaff ? ' (MBAFF)' : ''}, ${picture.type}`;
      view.choices.push([picture, plane]);
      byId('picture').append(make('option', { value: view.choices.length - 1 }, picture.planes.length > 1 ? `${name}, colour plane ${i}` : name));
    });
  byId('picture-label').hidden = view.choices.length < 2;
}

function makeTools() {
  FILLS.forEach(([value, name], i) => {
    const input = make('input', { type: 'radio', name: 'fill', id: `fill-${value}`, value });
    input.checked = i === 0;
    byId('fills').append(make('label', {}, input, ` ${name}`));
  });
  for (const [value, name, on] of LAYERS) {
    const input = make('input', { type: 'checkbox', id: `layer-${value}` });
    input.checked = on;
    byId('layers').append(make('label', {}, input, ` ${name}`));
  }
  for (const id of ['fills', 'layers', 'zoom'])
    byId(id).addEventListener('change', draw);
  byId('picture').addEventListener('change', event => choosePicture(Number(event.target.value)));
  byId('canvas').addEventListener('pointermove', onPointer);
  byId('canvas').addEventListener('pointerdown', onPointer);
  byId('canvas').addEventListener('keydown', onKey);
}

function describeFrame() {
  const depth = frame.bit_depth_luma === frame.bit_depth_chroma ? `${frame.bit_depth_luma} bit`
    : `${frame.bit_depth_luma} bit luma, ${frame.bit_depth_chroma} bit chroma`;
  const pictures = frame.pictures.map(picture =>
    `${picture.structure}${picture.mbaff ? ' (MBAFF)' : ''} of ${plural(picture.slices.length, 'slice')}, type ${picture.type}, ` +
    `${count(picture.bits)} bits, ${count(picture.coefficients)} coefficients`);
  const time = frame.time === null ? '' : ` at ${seconds(frame.time)} s`;
  return `Frame ${frame.frame} in decoding order${time}: ${frame.width}x${frame.height} ${frame.rgb ? 'RGB' : frame.chroma} ${depth}; ` +
    `${pictures.join('; ')}.${frame.image ? '' : ' Its samples are not there.'}`;
}

async function showFrame() {
  if (!frame) {
    byId('frame-note').textContent = data.summary.frames === 0 && data.summary.output > 0 ? 'The elements of this row do not tell what pictures are made of.'
      : 'The frame that was asked for, or any, did not come.';
    return;
  }
  byId('frame-note').textContent = describeFrame();
  byId('canvas').setAttribute('aria-label', `${describeFrame()} The table below counts its macroblocks.`);
  byId('frame-view').hidden = false;
  makeChoices();
  makeTools();
  if (frame.image) {
    const image = new Image();
    image.src = frame.image;
    await image.decode();
    view.image = image;
  } else {
    byId('layer-image').checked = false;
    byId('layer-image').disabled = true;
  }
  choosePicture(0);
}

// ---- over time ----

const series = data.series;
const MARGIN = { left: 58, right: 8, top: 8, bottom: 20 };
const charts = [];

// A mean of the frames of each point
const mean = (values, factor = 1) => values.map((value, i) => series.frames[i] > 0 ? value * factor / series.frames[i] : 0);
const sumOf = (columns, names) => {
  const found = names.filter(name => columns[name]);
  return found.length > 0 ? series.frames.map((_, i) => found.reduce((sum, name) => sum + columns[name][i], 0)) : null;
};

// One line a stage, of those that have such counters
function stageLines(names, factor = 1) {
  return data.stages.map((stage, i) => ({ stage, i, values: sumOf(stage.series, names) }))
    .filter(({ values }) => values && values.some(value => value > 0))
    .map(({ stage, i, values }) => ({ name: stage.element, color: `c${i % 7}`, values: mean(values, factor) }));
}

function typeOf(point) {
  const types = ['i', 'p', 'b'].filter(type => series[type][point] > 0);
  return types.length > 0 ? types[types.length - 1] : null;
}

function makeCharts() {
  const kinds = ['intra', 'pcm', 'inter'], total = sumOf(series, kinds);
  const shares = kinds.map(name => series[name].map((value, i) => total[i] > 0 ? 100 * value / total[i] : 0));
  const list = [
    { id: 'bits', title: 'Bits of slices', unit: 'bit a frame', bars: true, lines: [{ name: 'bits', color: 'accent', values: mean(series.bits) }] },
    { id: 'coefficients', title: 'Coefficients that are not 0', unit: 'a frame', lines: [{ name: 'coefficients', color: 'c0', values: mean(series.coefficients) }] },
    { id: 'kinds', title: 'Kinds of macroblocks', unit: '% of them', stacked: true, high: 100,
      lines: kinds.map((name, i) => ({ name: ['intra', 'I_PCM', 'inter'][i], color: ['i4x4', 'ipcm', 'list0'][i], values: shares[i] }))
        .filter(line => line.values.some(value => value > 0)) },
    { id: 'stage-time', title: 'Time of each stage', unit: 'ms a frame', lines: stageLines(['time'], 1e-6) },
    { id: 'launches', title: 'Kernel launches', unit: 'a frame', lines: stageLines(['launches']) },
    { id: 'waits', title: 'Waits of the CPU for the device', unit: 'a frame', lines: stageLines(['waits', 'map-waits']) },
    { id: 'bytes', title: 'Bytes to the device and back', unit: 'byte a frame', lines: stageLines(['bytes-up', 'bytes-down', 'map-bytes-down']) },
  ];
  return list.filter(chart => chart.lines.length > 0 && chart.lines.some(line => line.values.some(value => value > 0)));
}

function roundUp(value) {
  if (value <= 0)
    return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].find(step => step * power >= value) * power;
}

function lineWithSteps(x, y, values) {
  return values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)},${y(value).toFixed(1)}L${x(i + 1).toFixed(1)},${y(value).toFixed(1)}`).join('');
}

function drawBars(svg, chart, x, y, width) {
  const { values } = chart.lines[0], thin = Math.max(width / values.length - (width / values.length > 4 ? 1 : 0), 0.8);
  values.forEach((value, i) => {
    const type = series.step === 1 ? typeOf(i) : null;
    svg.append(makeSvg('rect', { x: x(i), y: y(value), width: thin, height: Math.max(y(0) - y(value), 0),
      fill: type ? `var(--type-${type})` : 'var(--accent)' }));
  });
}

function drawLines(svg, chart, x, y) {
  let below = chart.lines[0].values.map(() => 0);
  for (const line of chart.lines) {
    const values = chart.stacked ? line.values.map((value, i) => value + below[i]) : line.values;
    if (chart.stacked || chart.lines.length === 1) {
      const back = [...below].reverse().map((value, k) => {
        const i = below.length - 1 - k;
        return `L${x(i + 1).toFixed(1)},${y(value).toFixed(1)}L${x(i).toFixed(1)},${y(value).toFixed(1)}`;
      }).join('');
      svg.append(makeSvg('path', { d: `${lineWithSteps(x, y, values)}${back}Z`, fill: `var(--${line.color})`, 'fill-opacity': chart.stacked ? 0.75 : 0.3 }));
    }
    if (!chart.stacked)
      svg.append(makeSvg('path', { d: lineWithSteps(x, y, values), fill: 'none', stroke: `var(--${line.color})`, 'stroke-width': 1.6 }));
    if (chart.stacked)
      below = values;
  }
}

function drawAxes(svg, chart, x, y, width, height, high) {
  for (const share of [0, 0.5, 1]) {
    const at = y(high * share), text = makeSvg('text', { x: MARGIN.left - 6, y: at + 4, 'text-anchor': 'end' });
    text.textContent = short(high * share);
    svg.append(makeSvg('line', { class: 'grid', x1: MARGIN.left, x2: MARGIN.left + width, y1: at, y2: at }), text);
  }
  for (let i = 0; i <= 4; i++) {
    const point = Math.min(Math.round(series.points * i / 4), series.points - 1), anchor = i === 0 ? 'start' : i === 4 ? 'end' : 'middle';
    const text = makeSvg('text', { x: i === 4 ? MARGIN.left + width : x(point), y: MARGIN.top + height + 15, 'text-anchor': anchor });
    text.textContent = count(point * series.step);
    if (series.points > 4 || i === 0 || i === 4)
      svg.append(text);
  }
}

function drawCorrupted(svg, x, y, height) {
  series.corrupted.forEach((value, i) => {
    if (value > 0)
      svg.append(makeSvg('rect', { class: 'corrupted', x: x(i), y: MARGIN.top, width: Math.max(x(i + 1) - x(i), 1), height }));
  });
}

function drawChart(chart) {
  const { svg } = chart, box = svg.getBoundingClientRect(), width = Math.max(box.width - MARGIN.left - MARGIN.right, 10);
  const height = 150 - MARGIN.top - MARGIN.bottom;
  const high = chart.high || roundUp(Math.max(...chart.lines.map(line => range(line.values)[1])));
  const x = point => MARGIN.left + width * point / series.points, y = value => MARGIN.top + height * (1 - value / high);
  chart.pointAt = at => Math.min(Math.max(Math.floor((at - box.left - MARGIN.left) / width * series.points), 0), series.points - 1);
  chart.middle = point => (x(point) + x(point + 1)) / 2;
  svg.replaceChildren();
  drawAxes(svg, chart, x, y, width, height, high);
  drawCorrupted(svg, x, y, height);
  if (chart.bars)
    drawBars(svg, chart, x, y, width);
  else
    drawLines(svg, chart, x, y);
  chart.cursor = makeSvg('line', { class: 'cursor', y1: MARGIN.top, y2: MARGIN.top + height, visibility: 'hidden' });
  svg.append(chart.cursor);
}

function describePoint(chart, point) {
  const first = point * series.step, last = first + series.frames[point] - 1;
  const where = last > first ? `Frames ${count(first)} to ${count(last)}` : `Frame ${count(first)}`;
  const time = series.seconds[point] === null ? '' : ` (${seconds(series.seconds[point])} s)`;
  const type = series.step === 1 && typeOf(point) ? `, ${typeOf(point).toUpperCase()}` : '';
  const flagged = series.corrupted[point] > 0 ? ', flagged as corrupted' : '';
  return `${where}${time}${type}${flagged}: ${chart.lines.map(line => `${line.name} ${short(line.values[point])}`).join(', ')}`;
}

function showPoint(point) {
  for (const chart of charts) {
    chart.cursor.setAttribute('visibility', 'visible');
    chart.cursor.setAttribute('x1', chart.middle(point));
    chart.cursor.setAttribute('x2', chart.middle(point));
    chart.read.textContent = describePoint(chart, point);
  }
}

function summarize(chart) {
  return chart.lines.map(line => {
    const total = line.values.reduce((sum, value, i) => sum + value * series.frames[i], 0), frames = series.frames.reduce((a, b) => a + b, 0);
    return `${line.name}: ${short(frames > 0 ? total / frames : 0)} in the mean, ${short(range(line.values)[1])} at most`;
  }).join('; ');
}

function addChart(chart) {
  const keys = make('div', { class: 'keys' });
  if (chart.bars && series.step === 1)
    for (const type of ['i', 'p', 'b'].filter(name => series[name].some(value => value > 0)))
      keys.append(key(`background: var(--type-${type})`, `${type.toUpperCase()} pictures`));
  else if (chart.lines.length > 1)
    for (const line of chart.lines)
      keys.append(key(`background: var(--${line.color})`, line.name));
  chart.svg = makeSvg('svg', { role: 'img', 'aria-label': `${chart.title}, ${chart.unit}. ${summarize(chart)}.` });
  chart.read = make('p', { class: 'read' }, summarize(chart));
  byId('charts').append(make('div', { class: 'chart', id: `chart-${chart.id}` }, make('h3', {}, `${chart.title}, ${chart.unit}`), keys, chart.svg, chart.read));
  chart.svg.addEventListener('pointermove', event => showPoint(chart.pointAt(event.clientX)));
  charts.push(chart);
  drawChart(chart);
}

function showTime() {
  if (data.summary.frames === 0) {
    byId('time').hidden = true;
    return;
  }
  byId('time-note').textContent = 'By frame in decoding order, from 0 on' + (series.step > 1 ? `; a point is the mean of ${series.step} frames` : '') +
    '. What the device has done comes to be known a few frames later, and counts there.' +
    (series.corrupted.some(value => value > 0) ? ' Shaded: frames that came out flagged as corrupted, in the order of output.' : '');
  makeCharts().forEach(addChart);
}

// ---- stages ----

function showStages() {
  if (data.stages.length === 0)
    return;
  const section = byId('stages'), frames = Math.max(data.summary.frames, 1);
  const columns = [['Stage'], ['Time, ms', 'time', 1e-6], ['ms a frame', 'time', 1e-6 / frames], ['Slices', 'slices'], ['Launches', 'launches'],
    ['Waits', 'waits'], ['Waits of others', 'map-waits'], ['Bytes up', 'bytes-up'], ['Bytes down', 'bytes-down'], ['Down to others', 'map-bytes-down']];
  section.hidden = false;
  for (const [title, name] of columns)
    section.querySelector('thead tr').append(make('th', { scope: 'col', class: name ? 'number' : '' }, title));
  for (const stage of data.stages)
    addRow(section.querySelector('tbody'), columns.map(([, name, factor]) => {
      if (!name)
        return stage.element;
      const value = stage.totals[name];
      return number(value === undefined ? '' : factor ? (value * factor).toFixed(2) : count(value));
    }));
}

// ---- all of it ----

let redrawing = 0;

function redraw() {
  cancelAnimationFrame(redrawing);
  redrawing = requestAnimationFrame(() => {
    charts.forEach(drawChart);
    if (frame)
      draw();
  });
}

async function main() {
  showHead();
  showMessages();
  showTime();
  showStages();
  showFlags();
  await showFrame();
  window.addEventListener('resize', redraw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  document.documentElement.dataset.ready = 'true';
}

main();
