import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDisclosure, kindOf } from '../../src/accounts/oversight/reads/action-kinds.ts';
import { actionsIn, auditActions, namedInKinds } from './audit-actions.ts';

/** Acts that need no look in a review, as they show nobody who is kept: they change, send or tell of what is no record. */
const SHOW_NOBODY = new Set(
  `agreement.downloaded agreement.ended agreement.recorded agreement.signed
   audit-log.verification-asked audit.expired bulk_job.finished certificate.made
   customer.checklist-dismissed customer.created customer.destruction-begun customer.oversight-set customer.renamed
   database.moved
   domain.added domain.checked domain.keys-rotated domain.listed domain.updated
   drip.changed drip.completed drip.copied drip.created drip.moved drip.paused drip.published drip.resumed drip.started
   drip_enrollments.created drip_event.told
   email-settings.updated email.attempts export.announced factor.refused
   field.changed field.created files.moved
   form.archived form.copied form.created form.export-ended form.export-made form.imported form.link-deleted
   form.links-created form.page-changed form.unarchived form.updated
   hold.set import.created import.finished import.started incident.noted incident.opened incident.updated job.retried
   key.revoked list.changed list.created
   mailing.changed mailing.created mailing.kept-for-pickup mailing.made-a-message mailing.reported mailing.tested
   message.accepted message.cancelled message.reported message.rescheduled message.scheduled
   note.taken-back note.written review.made review.overdue review.overdue-told review.signed route.explained
   segment.created segment.updated
   send.cancelled send.decided send.paused send.resumed send.scheduled send.started send.unscheduled
   session.ended session.others-ended session.signed-out sign-in.passed sign-in.password-passed step-up.passed
   signer.invited signer.link-sent signer.withdrawn submission.amended submission.expired submission.received
   subscriber.saved subscribers.subscribed subscribers.unsubscribed
   subscription.confirmation-sent subscription.created subscription.ended suppression.created
   template.created template.updated tls-exception.created upload.begun upload.dropped upload.expired upload.received
   user.address-asked user.invited-again user.password-forgotten user.renamed user.set-up
   webhook.listed webhook.owner-told webhook.replayed webhook.tested work.changed`.split(/\s+/),
);

/** What patients and recipients do with what is their own. */
const THEIR_OWN = new Set(
  `draft.code-refused draft.code-sent draft.expired draft.link-sent draft.resumed draft.saved
   pickup.code-accepted pickup.code-refused pickup.code-sent pickup.expired pickup.file-opened pickup.made pickup.opened
   pickup.replied signer.code-refused signer.code-sent signer.entered`.split(/\s+/),
);

/** What shows words about people which belong to no record: why something is held, and what went wrong. */
const IN_WORDS_ONLY = new Set(['holds.listed', 'incident.read']);

const PASSED_OVER = [SHOW_NOBODY, THEIR_OWN, IN_WORDS_ONLY];
const passedOver = (action: string) => PASSED_OVER.some((each) => each.has(action));

test('every action of the audit log is of a kind, or is known to show nobody', () => {
  const actions = auditActions();
  assert.ok(actions.length > 200, `${actions.length} actions`);
  const unknown = actions.filter((action) => kindOf(action) === null && !passedOver(action));
  assert.deepEqual(unknown, [], 'put them into action-kinds.ts, or here where they show nobody');
  const both = actions.filter((action) => kindOf(action) !== null && passedOver(action));
  assert.deepEqual(both, [], 'what is of a kind is not passed over');
});

test('no list names an action that nothing writes', () => {
  const actions = new Set(auditActions());
  const listed = [...namedInKinds(), ...PASSED_OVER.flatMap((each) => [...each])];
  assert.ok(listed.length > 150);
  assert.deepEqual(
    listed.filter((action) => !actions.has(action)),
    [],
  );
});

test('the reader of the source finds every way in which an action is named', () => {
  const text = `const SENT = 'mail.gone';
    endpoint({ audit: 'one.seen' });
    endpoint({ audit: isOne ? 'two.out' : null });
    endpoint({ audit: \`send.\${move}\` });
    recordAct(tx, clock, { action: SENT, actor });
    run(operatorAct(id, 'three.all-listed'));
    select('t.id', 'answer.content');`;
  const found = 'one.seen two.out send.paused send.resumed send.cancelled mail.gone three.all-listed'.split(' ');
  assert.deepEqual(actionsIn(text), found);
  assert.throws(() => actionsIn('audit: `new.${kind}`'), /say in this file/);
});

test('who may sign in, who can read and how long records are kept is looked at in a review', () => {
  const ways = ['factor.added', 'factor.recovery-codes-made', 'user.password-changed', 'form.recipients-changed'];
  assert.deepEqual(
    ways.map(kindOf),
    ways.map(() => 'keys_and_roles'),
  );
  const times = ['customer.retention-set', 'form.retention-set'];
  assert.deepEqual(
    times.map(kindOf),
    times.map(() => 'deletion'),
  );
});

test('what leaves with names is a disclosure, and what frees records from being kept is looked at', () => {
  for (const action of ['customer.exported', 'incident.exported', 'audit-log.who-read', 'subscriptions.listed'])
    assert.ok(isDisclosure(action), action);
  const kinds = ['user.link-made', 'factor.removed', 'hold.released', 'retention.overridden', 'vault.destroyed'];
  assert.deepEqual(kinds.map(kindOf), ['keys_and_roles', 'keys_and_roles', 'deletion', 'deletion', 'vault']);
});
