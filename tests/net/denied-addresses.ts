import * as fc from 'fast-check';

/** Every IPv4 range of the deny list; the IANA registry has them as not globally reachable. */
export const DENIED_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  255.255.255.255/32`.split(/\s+/);

/** Every IPv6 range of the deny list whatever it wraps, as its groups and the length of its prefix. */
export const DENIED_V6: Record<string, [number[], number]> = {
  '::/96': [[0, 0, 0, 0, 0, 0], 96],
  '::ffff:0:0:0/96': [[0, 0, 0, 0, 0xffff, 0], 96],
  '64:ff9b:1::/48': [[0x64, 0xff9b, 1], 48],
  '100::/64': [[0x100, 0, 0, 0], 64],
  '2001::/23': [[0x2001, 0], 23],
  '2001:db8::/32': [[0x2001, 0xdb8], 32],
  '2002::/16': [[0x2002], 16],
  '3fff::/20': [[0x3fff, 0], 20],
  '4000::/3': [[0x4000], 3],
  '5f00::/16': [[0x5f00], 16],
  'fc00::/7': [[0xfc00], 7],
  'fe80::/10': [[0xfe80], 10],
  'fec0::/10': [[0xfec0], 10],
  'ff00::/8': [[0xff00], 8],
};

/** The ways to put an IPv4 address into an IPv6 one. */
export const WRAPPINGS: Record<string, (v4: number) => string> = {
  'compatible ::/96': (v4) => groups([0, 0, 0, 0, 0, 0, ...halves(v4)]),
  'mapped ::ffff:0:0/96': (v4) => groups([0, 0, 0, 0, 0, 0xffff, ...halves(v4)]),
  'mapped, dotted': (v4) => `::ffff:${dotted(v4)}`,
  'compatible, dotted': (v4) => `::${dotted(v4)}`,
  'translated ::ffff:0:0:0/96': (v4) => groups([0, 0, 0, 0, 0xffff, 0, ...halves(v4)]),
  'NAT64 64:ff9b::/96': (v4) => groups([0x64, 0xff9b, 0, 0, 0, 0, ...halves(v4)]),
  'NAT64, dotted': (v4) => `64:ff9b::${dotted(v4)}`,
  'NAT64 of a site, at its end': (v4) => groups([0x64, 0xff9b, 1, 0, 0, 0, ...halves(v4)]),
  'NAT64 of a site, behind /48': (v4) =>
    groups([0x64, 0xff9b, 1, v4 >>> 16, (v4 >>> 8) & 0xff, (v4 & 0xff) << 8, 0, 0]),
  '6to4 2002::/16': (v4) => groups([0x2002, ...halves(v4), 0, 0, 0, 0, 1]),
  'Teredo client': (v4) => groups([0x2001, 0, 0x808, 0x808, 0, 0, ...halves(~v4 >>> 0)]),
  'Teredo server': (v4) => groups([0x2001, 0, ...halves(v4), 0, 0, ...halves(~0x08080808 >>> 0)]),
  ISATAP: (v4) => groups([0x2606, 0x4700, 0, 0, 0, 0x5efe, ...halves(v4)]),
  'ISATAP of a public address': (v4) => groups([0x2606, 0x4700, 0, 0, 0x200, 0x5efe, ...halves(v4)]),
};

/** First and last address of a range such as 10.0.0.0/8. */
export function edgesOf(range: string): [number, number] {
  const [start = '', bits = ''] = range.split('/');
  const first = start.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [first, first + 2 ** (32 - Number(bits)) - 1];
}

/** Draws an IPv4 address, as a number, from any denied range, often one at its edge. */
export const deniedV4 = fc
  .constantFrom(...DENIED_V4)
  .chain((range) => fc.integer({ min: edgesOf(range)[0], max: edgesOf(range)[1] }));

/** Draws an IPv6 address from any denied range. */
export const deniedV6 = fc
  .tuple(
    fc.constantFrom(...Object.values(DENIED_V6)),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }),
  )
  .map(([[prefix, bits], drawn]) =>
    groups(drawn.map((group, at) => ((prefix[at] ?? 0) & maskOf(bits, at)) | (group & ~maskOf(bits, at) & 0xffff))),
  );

/** 127.0.0.1 for 2130706433. */
export function dotted(v4: number): string {
  return octets(v4).join('.');
}

/** 2130706433 as its four bytes. */
export function octets(v4: number): number[] {
  return [v4 >>> 24, (v4 >>> 16) & 0xff, (v4 >>> 8) & 0xff, v4 & 0xff];
}

/** Eight groups with colons between them. */
export function groups(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}

function halves(v4: number): [number, number] {
  return [v4 >>> 16, v4 & 0xffff];
}

/** The bits of one group that a prefix of this length fixes. */
function maskOf(bits: number, group: number): number {
  const fixed = Math.min(16, Math.max(0, bits - group * 16));
  return (0xffff << (16 - fixed)) & 0xffff;
}
