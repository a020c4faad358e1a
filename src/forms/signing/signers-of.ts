import { isRecord } from '../model/normalise.ts';

/** Somebody who is to sign a submission beside whoever sends it. */
export interface SignerRule {
  role: string;
  /** What they confirm; null where the form does not say. */
  label: string | null;
  /** The question whose answer is their address. */
  emailQuestion: string | null;
  required: boolean;
}

export const MOST_SIGNERS = 10;
export const LONGEST_ROLE = 60;
const LONGEST_LABEL = 10_000;

/** Who else is to sign, as `signers` of a form says. What cannot be read is left out. */
export function signersOf(formJson: unknown): SignerRule[] {
  const listed = isRecord(formJson) ? formJson['signers'] : undefined;
  return (Array.isArray(listed) ? listed : [])
    .flatMap((each): SignerRule[] => readRule(each) ?? [])
    .slice(0, MOST_SIGNERS);
}

/** What a form says of a signer: by their place and role, or by the role alone where they were added later. */
export function ruleOf(formJson: unknown, { ordinal, role }: { ordinal: number; role: string }): SignerRule {
  const rules = signersOf(formJson);
  const own = rules[ordinal];
  const found = own?.role === role ? own : rules.find((rule) => rule.role === role);
  return found ?? { role, label: null, emailQuestion: null, required: true };
}

function readRule(given: unknown): SignerRule[] | null {
  if (!isRecord(given)) return null;
  const role = textIn(given['role'], LONGEST_ROLE);
  if (role === null) return null;
  return [
    {
      role,
      label: textIn(given['label'], LONGEST_LABEL),
      emailQuestion: textIn(given['email_question'], Infinity),
      required: given['required'] !== false,
    },
  ];
}

function textIn(value: unknown, longest: number): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > longest ? null : text;
}
