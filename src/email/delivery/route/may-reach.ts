import { isLoopbackAddress, isPrivateAddress, isPublicAddress } from '../../../platform/net/public-address.ts';

/** Says whether mail may be taken to an address. */
export type MayReach = (address: string) => boolean;

const SMTP_PORT = 25;

/**
 * The open internet may be reached. An inner network may be too, but only where the operator has named both
 * name servers and a port of their own: then it is theirs, and no stranger's MX record can lead into it by surprise.
 */
export function createMayReach({ dnsServers, mxPort }: { dnsServers: readonly string[]; mxPort: number }): MayReach {
  const isInnerOpen = dnsServers.length > 0 && mxPort !== SMTP_PORT;
  if (!isInnerOpen) return isPublicAddress;
  return (address) => isPublicAddress(address) || isPrivateAddress(address) || isLoopbackAddress(address);
}
