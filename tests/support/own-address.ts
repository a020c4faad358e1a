import { networkInterfaces } from 'node:os';

/** An address of this machine by which it is, to itself, another one; none where it is on no network. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
