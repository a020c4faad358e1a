import { domainOf } from '../../submission/address.ts';

interface Names {
  heloName: string;
  systemFrom: string;
  returnPathDomain: string | null;
}

/** The names of this installation that others may report on. */
export function ownNamesOf({ heloName, systemFrom, returnPathDomain }: Names): string[] {
  const names = [heloName, domainOf(systemFrom), ...(returnPathDomain === null ? [] : [returnPathDomain])];
  return names.map((name) => name.toLowerCase());
}
