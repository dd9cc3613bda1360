# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small H.264 streams whose every macroblock is known, written by hand: CAVLC, 4:2:0, 8 bits (7.3)."""


class Bits:
    """Syntax elements one behind the other (7.2, 9.1)"""

    def __init__(self):
        self.bits = ''

    def u(self, n, value):
        self.bits += f'{value:0{n}b}'

    def raw(self, bits):
        self.bits += bits

    def ue(self, value):
        code = f'{value + 1:b}'
        self.bits += '0' * (len(code) - 1) + code

    def se(self, value):
        self.ue(2 * value - 1 if value > 0 else -2 * value)

    def align(self):
        self.bits += '0' * (-len(self.bits) % 8)

    def nal(self, nal_ref_idc, nal_unit_type):
        """The NAL unit, without start code: with rbsp_trailing_bits and emulation prevention bytes"""
        bits = self.bits + '1'
        bits += '0' * (-len(bits) % 8)
        rbsp = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
        out, zeros = bytearray([nal_ref_idc << 5 | nal_unit_type]), 0
        for byte in rbsp:
            if zeros == 2 and byte <= 3:
                out.append(3)
                zeros = 0
            out.append(byte)
            zeros = zeros + 1 if byte == 0 else 0
        return bytes(out)


def byte_stream(*nals):
    return b''.join(b'\0\0\0\1' + nal for nal in nals)


def sps(width_in_mbs, height_in_map_units, frame_mbs_only=True, mbaff=False):
    w = Bits()
    w.u(8, 77)  # profile_idc: Main
    w.u(8, 0)
    w.u(8, 40)  # level_idc
    for value in 0, 0, 0, 0:  # id, log2_max_frame_num_minus4, pic_order_cnt_type, log2_max_pic_order_cnt_lsb_minus4
        w.ue(value)
    w.ue(1)  # max_num_ref_frames
    w.u(1, 0)
    w.ue(width_in_mbs - 1)
    w.ue(height_in_map_units - 1)
    w.u(1, frame_mbs_only)
    if not frame_mbs_only:
        w.u(1, mbaff)
    w.u(1, 1)  # direct_8x8_inference_flag
    w.u(1, 0)
    w.u(1, 0)
    return w.nal(3, 7)


def pps():
    w = Bits()
    w.ue(0)
    w.ue(0)
    w.u(1, 0)  # CAVLC
    w.u(1, 0)
    w.ue(0)
    w.ue(0)
    w.ue(0)
    w.u(1, 0)
    w.u(2, 0)
    w.se(0)  # QP 26
    w.se(0)
    w.se(0)
    w.u(1, 1)  # deblocking_filter_control_present_flag
    w.u(1, 0)
    w.u(1, 0)
    return w.nal(3, 8)


P, I = 5, 7  # slice_type, of all slices of the picture


def slice_header(slice_type, frame_num, pic_order_cnt_lsb, idr=False, field=None, fields_possible=False):
    """@field: None: a frame; 0: top; 1: bottom"""
    w = Bits()
    w.ue(0)
    w.ue(slice_type)
    w.ue(0)
    w.u(4, frame_num % 16)
    if fields_possible:
        w.u(1, field is not None)
        if field is not None:
            w.u(1, field)
    if idr:
        w.ue(0)
    w.u(4, pic_order_cnt_lsb % 16)
    if slice_type == P:
        w.u(1, 0)
        w.u(1, 0)
    if idr:
        w.u(2, 0)
    else:
        w.u(1, 0)
    w.se(0)
    w.ue(1)  # no deblocking
    return w


def intra_16x16(w, slice_type, qp_delta=0, level=False):
    """Prediction DC, without residual but for one level 1 of the DC coefficients where @level; no neighbour may have coefficients."""
    w.ue((5 if slice_type == P else 0) + 3)
    w.ue(0)
    w.se(qp_delta)
    w.raw('01' + '0' + '1' if level else '1')


def intra_4x4(w):
    """All predicted modes, without residual; in I slices"""
    w.ue(0)
    w.raw('1' * 16)
    w.ue(0)
    w.ue(3)


def i_pcm(w, value):
    w.ue(25)
    w.align()
    w.raw(f'{value:08b}' * 384)


def inter(w, mb_type, mvds, sub_mb_types=()):
    """In P slices with one reference, without residual"""
    w.ue(mb_type)
    for sub_mb_type in sub_mb_types:
        w.ue(sub_mb_type)
    for x, y in mvds:
        w.se(x)
        w.se(y)
    w.ue(0)  # coded_block_pattern 0


def frames_stream(n_skipped=0):
    """4x3 macroblocks: an IDR frame, a P frame, then @n_skipped frames that are copies.  The stream, and the bytes of the slices of the first two.

    The IDR frame: 0 Intra 4x4; 5 Intra 16x16 with a level and QP 28, as all behind it have; 11 I_PCM; the others Intra 16x16.
    The P frame: 0 to 3 skipped; 4 one partition; 5 two, 16x8; 6 two, 8x16; 7 four, 8x8; 8 Intra 16x16; 9 to 11 skipped.
    """
    w = slice_header(I, 0, 0, idr=True)
    for address in range(12):
        if address == 0:
            intra_4x4(w)
        elif address == 11:
            i_pcm(w, 99)
        else:
            intra_16x16(w, I, 2 if address == 5 else 0, address == 5)
    first = w.nal(3, 5)

    w = slice_header(P, 1, 2)
    w.ue(4)  # mb_skip_run
    inter(w, 0, [(5, -3)])
    w.ue(0)
    inter(w, 1, [(8, 4), (1, 1)])
    w.ue(0)
    inter(w, 2, [(0, 0), (-4, -4)])
    w.ue(0)
    inter(w, 3, [(2, 0), (0, 6), (4, 0), (0, 0)], [0, 0, 0, 0])
    w.ue(0)
    intra_16x16(w, P)
    w.ue(3)
    second = w.nal(3, 1)

    nals = [sps(4, 3), pps(), first, second]
    for i in range(n_skipped):
        w = slice_header(P, i + 2, 2 * (i + 2))
        w.ue(12)
        nals.append(w.nal(3, 1))
    return byte_stream(*nals), [len(first), len(second)]


# Of the P frame, as the standard predicts vectors (8.4.1): mbAddr; x, y, width, height; vector in quarter samples
P_FRAME_PARTITIONS = [
    (0, 0, 0, 16, 16, 0, 0), (1, 0, 0, 16, 16, 0, 0), (2, 0, 0, 16, 16, 0, 0), (3, 0, 0, 16, 16, 0, 0),
    (4, 0, 0, 16, 16, 5, -3),
    (5, 0, 0, 16, 8, 8, 4), (5, 0, 8, 16, 8, 6, -2),
    (6, 0, 0, 8, 16, 8, 4), (6, 8, 0, 8, 16, -4, -4),
    (7, 0, 0, 8, 8, 2, 0), (7, 8, 0, 8, 8, 0, 6), (7, 0, 8, 8, 8, 4, 0), (7, 8, 8, 8, 8, 2, 0),
    (9, 0, 0, 16, 16, 6, 0), (10, 0, 0, 16, 16, 6, 0), (11, 0, 0, 16, 16, 4, 0),
]


def fields_stream():
    """2x2 macroblocks: an Intra 16x16 top field, and a bottom field that is a copy of it"""
    top = slice_header(I, 0, 0, idr=True, field=0, fields_possible=True)
    for _ in range(2):
        intra_16x16(top, I)
    bottom = slice_header(P, 0, 1, field=1, fields_possible=True)
    bottom.ue(2)
    return byte_stream(sps(2, 1, frame_mbs_only=False), pps(), top.nal(3, 5), bottom.nal(3, 1))


def mbaff_stream():
    """2x2 macroblocks, an MBAFF frame: the first pair in fields, the second in frames"""
    w = slice_header(I, 0, 0, idr=True, fields_possible=True)
    for field in 1, 0:
        w.u(1, field)  # mb_field_decoding_flag
        for _ in range(2):
            intra_16x16(w, I)
    return byte_stream(sps(2, 1, frame_mbs_only=False, mbaff=True), pps(), w.nal(3, 5))
