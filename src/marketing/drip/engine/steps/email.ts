import type { EmailNode } from '../../graph/graph.ts';
import type { Walker } from '../traveller.ts';
import type { Mail, TakeStep } from './turn.ts';

/** Means everybody to get the mailing of the step; whoever has no address goes on without. */
export const takeEmail: TakeStep<EmailNode> = ({ version }, node, walkers) => {
  const { sendId, mailingId } = version.sendOf(node.id);
  return walkers.map((walker) =>
    isSkipping(walker)
      ? { to: node.next, outcome: 'skipped' }
      : { to: node.next, mail: { sendId, mailingId, ...placeOf(walker) } },
  );
};

function isSkipping({ at, skipUntil }: Walker): boolean {
  return skipUntil !== null && at <= skipUntil;
}

function placeOf({ person: { email } }: Walker): Pick<Mail, 'domain' | 'rule'> {
  if (email === null) return { domain: '', rule: 'no_address' };
  return { domain: email.slice(email.lastIndexOf('@') + 1).toLowerCase(), rule: null };
}
