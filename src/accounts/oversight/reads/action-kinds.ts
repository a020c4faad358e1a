/** Acts by which somebody sees what is kept about people, one record or many. */
const READS = new Set(
  `attachment.read audit-log.who-read deliveries.listed drip.explained drip.simulated drip_enrollment.read
   drip_enrollments.listed events.read mailing.explained mailing.previewed message-log.listed message.read receipt.read
   report.read sandbox.read segment.counted segment.explained submission.amendments-read submission.notes-read
   submission.read submission.signers-read submissions.listed subscriber.read subscriber.story-read subscribers.listed
   subscription.read subscriptions.listed suppressions.listed`.split(/\s+/),
);

/** Acts by which what is kept about people leaves as a file. */
const EXPORTS = new Set(
  `customer.exported export.read incident.exported mailing.evidence-exported message.evidence-exported person.exported
   report.exported submission.certified submission.exported submissions.exported`.split(/\s+/),
);

/** Files that name nobody, or that nobody has fetched yet. */
const OTHER_EXPORTS = new Set(
  `audit-log.exported evidence.pack-written form.deidentified-exported form.export-asked subscribers.exported`.split(
    /\s+/,
  ),
);

const KEYS_AND_ROLES = new Set(
  `key.created key.shown-again user.invited user.created user.link-made user.role-changed user.factors-reset user.password-reset
   user.address-changed user.password-changed factor.added factor.removed factor.recovery-codes-made webhook.created webhook.updated webhook.secret-rotated
   drip.secret-read form.recipients-changed`.split(/\s+/),
);

const FAILED_SIGN_INS = new Set(['sign-in.failed', 'step-up.failed', 'break-glass.code-refused']);

/** Acts after which things go that were kept until then. */
const RELEASES = new Set(
  `audit.restored audit.rows-lost customer.closed customer.retention-set form.retention-set hold.released retention.overridden`.split(
    ' ',
  ),
);

export type ActionKind =
  | 'read'
  | 'export'
  | 'sign_in_failure'
  | 'keys_and_roles'
  | 'break_glass'
  | 'vault'
  | 'deletion';

/** What an act is to whoever reviews; null where it needs no look. */
export function kindOf(action: string): ActionKind | null {
  if (READS.has(action)) return 'read';
  if (EXPORTS.has(action) || OTHER_EXPORTS.has(action)) return 'export';
  if (FAILED_SIGN_INS.has(action)) return 'sign_in_failure';
  if (KEYS_AND_ROLES.has(action)) return 'keys_and_roles';
  if (action.startsWith('break-glass.')) return 'break_glass';
  if (action.startsWith('vault.')) return 'vault';
  return RELEASES.has(action) || /\.(deleted|destroyed|emptied|removed|undone)$/.test(action) ? 'deletion' : null;
}

/** Whether an act shows somebody records of people. */
export function isDisclosure(action: string): boolean {
  return READS.has(action) || EXPORTS.has(action);
}
