import { AppError } from '../../platform/errors.ts';

export type RefusalReason = 'closed' | 'full' | 'password' | 'tries' | 'link' | 'sealed' | 'proof' | 'expired';

const REASONS: Record<RefusalReason, { field: string | null; rule: string }> = {
  closed: { field: null, rule: 'This form takes no answers any more' },
  full: { field: null, rule: 'This form has as many answers as it takes' },
  password: { field: 'gate.password', rule: 'the password of this form is missing or wrong' },
  tries: { field: null, rule: 'Too many passwords were tried' },
  link: { field: 'gate.link', rule: 'an unused link of this form is missing' },
  sealed: { field: 'sealed', rule: 'this form takes answers only as its page encrypts them' },
  proof: { field: 'gate.proof', rule: 'the proof of work is missing, wrong or used' },
  expired: { field: null, rule: 'This page has been open for too long' },
};

/** Why somebody may not fill in a form that is public. */
export class GateRefusal extends AppError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, retryAfterSeconds?: number) {
    const { field, rule } = REASONS[reason];
    if (retryAfterSeconds !== undefined) super('rate_limited', rule, { retryAfterSeconds });
    else if (field === null) super('forbidden', rule);
    else super('forbidden', `${field}: ${rule}`, { fields: { [field]: [rule] } });
    this.reason = reason;
  }
}
