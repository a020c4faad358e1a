import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
// What a network that has only IPv6 makes of the address of an IPv4 host (RFC 6052 2.1).
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
// Of a public range, yet every machine in Azure finds the service there that hands out its secrets.
const AZURE_WIRE_SERVER = '168.63.129.16';
const METADATA_V6 = new Set(['fd00:ec2::254', 'fd20:ce::254']); // Amazon's and Google's
const ISATAP = 0x5efe; // RFC 5214 6.1

/**
 * Says whether an address belongs to the open internet, and so does the one that it wraps. What is no
 * address in its plain spelling does not, nor does one with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parsePlain(address);
  if (parsed === null) return false;
  return parsed instanceof ipaddr.IPv4 ? isPublicV4(parsed) : isPublicV6(parsed);
}

/** Says whether an address is this machine's own, 127.0.0.0/8 or ::1; a wrapped one is not taken for it. */
export function isLoopbackAddress(address: string): boolean {
  return parsePlain(address)?.range() === 'loopback';
}

/** Says whether an address is of an inner network (RFC 1918, RFC 4193) and no cloud hands out its secrets there. */
export function isPrivateAddress(address: string): boolean {
  const parsed = parsePlain(address);
  if (parsed === null || METADATA_V6.has(parsed.toString())) return false;
  return parsed.range() === (parsed instanceof ipaddr.IPv4 ? 'private' : 'uniqueLocal');
}

/** `isIP` comes first because the library also reads 0x7f.1 and 017700000001. */
function parsePlain(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_WIRE_SERVER;
}

/**
 * 6to4, Teredo and the NAT64 of a site (64:ff9b:1::/48) wrap addresses too, but are no unicast to the
 * library: no honest receiver lives there, and RFC 6052 2.2 has five places for what the last one wraps.
 */
function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return isPublicV4(lastV4(address));
  if (!address.match(GLOBAL_UNICAST) || address.range() !== 'unicast') return false;
  return !isIsatap(address) || isPublicV4(lastV4(address));
}

/** 00-00-5e-fe or 02-00-5e-fe and then an IPv4 address, behind any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === ISATAP && (parts[4] === 0 || parts[4] === 0x0200);
}

function lastV4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
