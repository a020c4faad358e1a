import { type Person, reasonsAgainst, type State, type Suppression } from './state.ts';

/** Somebody comes to be known. */
export function addPerson(state: State, { id, email, zone }: Pick<Person, 'id' | 'email' | 'zone'>): Person {
  const person: Person = {
    id,
    email,
    zone,
    exists: true,
    optedOut: false,
    lists: new Map(),
    fields: new Map(),
    knownSince: state.now,
  };
  state.people.push(person);
  return person;
}

/** Somebody joins a list; only who is asked back again comes back to one that they left. */
export function join(state: State, person: Person, list: string, again: boolean): void {
  if (again) {
    person.optedOut = false;
    reasonsAgainst(state, person.email).delete('opt_out');
  }
  const before = person.lists.get(list);
  if (before === 'on' || (before === 'left' && !again)) return;
  person.lists.set(list, 'on');
  for (const drip of state.drips) {
    if (drip.state !== 'running' || drip.trigger !== 'subscription_created' || drip.list !== list) continue;
    state.facts.push({ kind: 'enter', drip, person, at: state.now });
  }
  state.facts.push({ kind: 'joined', list, person, at: state.now });
}

export function leaveList(state: State, person: Person, list: string): void {
  if (person.lists.get(list) !== 'on') return;
  person.lists.set(list, 'left');
  state.facts.push({ kind: 'left', list, person, at: state.now });
}

export function optOut(state: State, person: Person): void {
  if (!person.optedOut) state.facts.push({ kind: 'opted_out', person });
  person.optedOut = true;
  suppress(state, person.email, 'opt_out');
}

export function suppress(state: State, email: string, reason: Suppression): void {
  const reasons = reasonsAgainst(state, email);
  if (reasons.has(reason)) return;
  reasons.add(reason);
  state.facts.push({ kind: 'suppressed', email, reason });
}

/** An address may have mail again; an opt-out stays. */
export function unsuppress(state: State, email: string): void {
  for (const reason of ['hard_bounce', 'manual'] as const) reasonsAgainst(state, email).delete(reason);
}

export function deletePerson(state: State, person: Person): void {
  person.exists = false;
  person.lists.clear();
  state.facts.push({ kind: 'deleted', person });
}

export function tell(state: State, person: Person, name: string): void {
  state.facts.push({ kind: 'custom', name, person, at: state.now });
}
