import { behindType, type Fields, fieldOf, readGroups, typedAddress } from './fields.ts';

const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const; // RFC 3464 2.3.3
const BY_CLASS = { '2': 'delivered', '4': 'delayed', '5': 'failed' } as const;
const STATUS = /^([245])\.(\d{1,3})\.(\d{1,3})\b/;
const MOST_RECIPIENTS = 100;

export type Action = (typeof ACTIONS)[number];

/** What a report says of one recipient. */
export interface RecipientStatus {
  finalRecipient: string | null;
  originalRecipient: string | null;
  action: Action;
  /** Such as `5.1.1`. */
  status: string | null;
  /** What the server that refused the mail said. */
  diagnostic: string | null;
  remoteMta: string | null;
}

/** Reads a message/delivery-status (RFC 3464 2): its recipients, at most 100. */
export function readDeliveryStatus(text: string): RecipientStatus[] {
  return readGroups(text)
    .flatMap((fields) => readRecipient(fields) ?? [])
    .slice(0, MOST_RECIPIENTS);
}

function readRecipient(fields: Fields): RecipientStatus | null {
  const status = STATUS.exec(fieldOf(fields, 'status') ?? '');
  const named = fieldOf(fields, 'action')?.toLowerCase().split(/[\s(]/, 1)[0];
  const action = ACTIONS.find((each) => each === named) ?? actionOf(status?.[1]);
  const finalRecipient = typedAddress(fieldOf(fields, 'final-recipient'));
  const originalRecipient = typedAddress(fieldOf(fields, 'original-recipient'));
  const names = fields.some(([name]) => name === 'final-recipient' || name === 'original-recipient');
  if (action === null || !names) return null;
  return {
    finalRecipient,
    originalRecipient,
    action,
    status: status === null ? null : `${status[1]}.${Number(status[2])}.${Number(status[3])}`,
    diagnostic: behindType(fieldOf(fields, 'diagnostic-code')),
    remoteMta: behindType(fieldOf(fields, 'remote-mta')),
  };
}

/** Where no action is named, the class of the status tells. */
function actionOf(statusClass: string | undefined): Action | null {
  return BY_CLASS[statusClass as keyof typeof BY_CLASS] ?? null;
}
