import type { ReadRecord } from '../../accounts/index.ts';

/** Somebody whose records were seen. */
export interface Person {
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Which of their records, by kind and id. */
  records: { kind: ReadRecord['kind']; id: string }[];
  first: Date;
  last: Date;
}

/** Puts records together that belong to the same address; one without an address stands for itself. */
export function gatherPeople() {
  const people = new Map<string, Person>();
  const nameless: ReadRecord[] = [];

  function addOwner(record: ReadRecord, owner: Pick<Person, 'name' | 'email' | 'phone'>): void {
    const key = owner.email?.toLowerCase() ?? `${record.kind}/${record.id}`;
    const known = people.get(key) ?? { ...owner, records: [], first: record.first, last: record.last };
    known.name ??= owner.name;
    known.phone ??= owner.phone;
    known.first = record.first < known.first ? record.first : known.first;
    known.last = record.last > known.last ? record.last : known.last;
    known.records.push({ kind: record.kind, id: record.id });
    people.set(key, known);
  }

  return {
    add(record: ReadRecord, owners: Pick<Person, 'name' | 'email' | 'phone'>[]): void {
      if (owners.length === 0) nameless.push(record);
      for (const owner of owners) addOwner(record, owner);
    },
    told: () => ({ people: [...people.values()], nameless }),
  };
}
