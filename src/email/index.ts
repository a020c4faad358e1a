import type { SigningKey } from '../accounts/index.ts';
import type { SealedBlobs } from '../platform/blob/sealed-blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import type { Idempotency } from '../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import type { Log } from '../platform/log.ts';
import type { TargetRules } from '../platform/net/target-url.ts';
import type { SealedColumn } from '../platform/vault/reseal.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { sendBulkEndpoint } from './api/bulk-messages.ts';
import { dynamicTemplateEndpoints } from './api/dynamic-templates.ts';
import { EmailErrors, emailErrorBody } from './api/errors.ts';
import { eventsEndpoint } from './api/events.ts';
import { evidenceEndpoint } from './api/evidence.ts';
import { messageLogEndpoints } from './api/message-log.ts';
import { sendMessageEndpoint } from './api/messages.ts';
import { receiptEndpoint } from './api/receipts.ts';
import { routeEndpoint } from './api/route.ts';
import { sandboxEndpoint } from './api/sandbox.ts';
import { scheduleEndpoints } from './api/schedule.ts';
import { sendingDomainEndpoints } from './api/sending-domains.ts';
import { settingsEndpoints } from './api/settings.ts';
import { suppressionEndpoints } from './api/suppressions.ts';
import { templateTrialEndpoints } from './api/template-trials.ts';
import { sendTemplatedEndpoint } from './api/templated-messages.ts';
import { tlsExceptionEndpoints } from './api/tls-exceptions.ts';
import { webhookEndpointEndpoints } from './api/webhook-endpoints.ts';
import { createWebhooksArea } from './api/webhooks.ts';
import type { ExplainRoute } from './delivery/explain-route.ts';
import { SEALED_ROW } from './domains/dkim-keys.ts';
import type { DomainDns } from './domains/dns.ts';
import type { SenderRule } from './domains/sender-rule.ts';
import { listEvents } from './events/list.ts';
import { exportEvidence } from './evidence/export.ts';
import { listMessages } from './log/list.ts';
import { readLoggedMessage } from './log/read.ts';
import { readReceipt } from './receipts/read.ts';
import { readInbox } from './sandbox/inbox.ts';
import { type AcceptMessages, createAcceptMessages } from './submission/accept.ts';
import { type ApplyTemplate, createApplyTemplate, createRenderStored } from './templates/apply.ts';

export { REPORTS_COUNT_MS } from './bounces/effect.ts';
export { type BounceServer, type BouncesDeps, startBounces } from './bounces/listener/start.ts';
export { messageBounces } from './bounces/message-bounces.ts';
export type { BounceHandlers, News } from './bounces/news.ts';
export { returnPathOf } from './bounces/return-path.ts';
export { ownNamesOf } from './bounces/tls-reports/own-names.ts';
export { addTlsReportPage } from './bounces/tls-reports/page.ts';
export { listTlsReports, sweepTlsReports } from './bounces/tls-reports/store.ts';
export type { Patience, Target } from './delivery/dialogue/connect.ts';
export { createExplainRoute, type RouteExplained } from './delivery/explain-route.ts';
export type { HandedOver, HandOver } from './delivery/hand-over.ts';
export { checkRelay } from './delivery/onward/check-relay.ts';
export { onwardOf } from './delivery/onward/onward.ts';
export { type BounceKind, bounceKind } from './delivery/outcome/bounce-kind.ts';
export { wordsOfBounce } from './delivery/outcome/words-of-bounce.ts';
export { type MailAttempt, prepareAttempts } from './delivery/prepare-attempts.ts';
export { nextAttempt } from './delivery/queue/retry.ts';
export { withoutTlsSince } from './delivery/queue/without-tls-since.ts';
export { type Delivery, startDelivery } from './delivery/start.ts';
export { type MailRoom, MailRooms } from './delivery/writing/mail-room.ts';
export type { Signer } from './delivery/writing/sign.ts';
export { askAnew } from './domains/ask-anew.ts';
export { type CheckDeps, checkDomain } from './domains/check.ts';
export { checkAllDomains } from './domains/check-all.ts';
export type { DomainDns } from './domains/dns.ts';
export { readDomainName } from './domains/domain-name.ts';
export { createReturnPaths, type ReturnPathDomainOf } from './domains/return-path.ts';
export { createSenderRule, type SenderRule } from './domains/sender-rule.ts';
export { findDomainNamed, listDomains, type SendingDomain } from './domains/sending-domain.ts';
export { addDomain, preparePair, rotateKeys } from './domains/sending-domains.ts';
export { createSigners, type SignerFor } from './domains/signers.ts';
export type { WarmUp } from './domains/warm-up.ts';
export { EvidenceBundle } from './evidence/bundle.ts';
export { exportEvidence, type FindMail } from './evidence/export.ts';
export { tellEvidence } from './evidence/in-words.ts';
export { lastRecipientOf } from './evidence/kept-attempts.ts';
export { keysIfAny } from './evidence/record.ts';
export { EvidenceBroken, verifyEvidence } from './evidence/verify.ts';
export { addresseesOf, suppressedBy } from './log/addressees.ts';
export { messagesBefore, suppressionsAt } from './log/mail-before.ts';
export { sweepContents } from './log/sweep.ts';
export { sweepLog } from './log/sweep-log.ts';
export { headerLine, textHeaderLine } from './mime/header-lines.ts';
export { encodePiece } from './mime/quoted-printable.ts';
export { createNotices, type Notices } from './pickup/notices.ts';
export { addPickupPages } from './pickup/pages.ts';
export { sweepPickups } from './pickup/sweep.ts';
export { sweepSandbox } from './sandbox/sweep.ts';
export { OLDEST_WAITING_MS } from './schedule/furthest.ts';
export { stopAllMail } from './stop-all.ts';
export {
  type AcceptedMessage,
  type AcceptMessages,
  ADDRESS_COLUMN,
  acceptWithin,
  prepareMessages,
} from './submission/accept.ts';
export { type Acceptance, acceptanceValues } from './submission/acceptance-rows.ts';
export { addressKey, domainOf, parseAddress, withoutRepeats } from './submission/address.ts';
export { readContentType } from './submission/file-name.ts';
export { DEFAULT_HANDLING, type Message } from './submission/message.ts';
export { openPlaced } from './submission/sealed-message.ts';
export { type SubmissionDeps, type SubmissionServer, startSubmission } from './submission/smtp/server.ts';
export { type Reason, STOPS_MAILINGS } from './suppressions/reason.ts';
export { suppressing, suppressMany, unsuppress } from './suppressions/suppress.ts';
export { suppressedAddress } from './suppressions/suppressed-address.ts';
export { suppressedAmong } from './suppressions/suppressed-among.ts';
export { maskMustaches } from './templates/engine/mask.ts';
export { offsetOf, type Position, positionOf } from './templates/engine/mistake.ts';
export { parseTemplate, placeInSource, type Template, TemplateMistake } from './templates/engine/parse.ts';
export { type EncodedTemplate, encodeTexts, RenderLimit, renderTemplate } from './templates/engine/render.ts';
export { findMustaches, type Span } from './templates/engine/scan.ts';
export type { Node, Reference } from './templates/engine/tree.ts';
export { variablesOf } from './templates/engine/variables.ts';
export { checkText, readName } from './templates/read-template.ts';
export { createTemplate, listTemplates } from './templates/store.ts';
export { sendTlsReports } from './tls-reports/send.ts';
export { findLinks } from './tracking/find-links.ts';
export type { LinkAnswer, LinkHandlers, LinkVisit } from './tracking/link-handler.ts';
export { messageLinks } from './tracking/message-links.ts';
export { addTrackingPages } from './tracking/pages.ts';
export { readTokens } from './tracking/read-tokens.ts';
export { createLinkTokens, type LinkKind, type LinkTokens } from './tracking/token.ts';
export {
  createEndpoint,
  type EndpointWork,
  findEndpoint,
  listEndpoints,
  refuseTaken,
  rotateSecret,
} from './webhooks/endpoints.ts';
export { enqueueDeliveries, newsRows } from './webhooks/enqueue.ts';
export { readEvents, readTarget } from './webhooks/read-endpoint.ts';
export { signatureHeaders } from './webhooks/secret.ts';
export { targetRulesOf } from './webhooks/target-rules.ts';
export { TELL_OWNERS, tellOwners } from './webhooks/tell-owners.ts';

const ATTEMPT_ROW = `message_id || '/' || ordinal || '/' || attempt`;

/** The columns of this area that hold sealed values. */
export const EMAIL_SEALED_COLUMNS: SealedColumn[] = [
  { table: 'messages', row: 'id', column: 'envelope' },
  { table: 'message_contents', row: 'id', column: 'sealed' },
  { table: 'delivery_attempts', row: ATTEMPT_ROW, column: 'reply' },
  { table: 'delivery_attempts', row: ATTEMPT_ROW, column: 'recipient' },
  { table: 'message_links', row: 'message_id', column: 'sealed' },
  { table: 'message_reports', row: `message_id || '/' || ordinal || '/' || kind || '/' || effect`, column: 'sealed' },
  { table: 'sandbox_messages', row: 'id', column: 'sealed' },
  { table: 'pickups', row: 'id', column: 'sealed' },
  { table: 'webhook_endpoints', row: 'public_id', column: 'sealed' },
  { table: 'dkim_keys', row: SEALED_ROW, column: 'sealed' },
  { table: 'suppressions', row: `encode(address_index, 'hex') || '/' || reason`, column: 'sealed' },
];

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
  targetRules: TargetRules;
  senderRule: SenderRule;
  dns: DomainDns;
  returnPathDomain: string | null;
  explainRoute: ExplainRoute;
  signingKey: SigningKey;
  clock: Clock;
  log: Log;
  onAccepted(): void;
}

export interface Email {
  /** What the server mounts: the Email area, and webhook endpoints for keys of every scope. */
  areas: [Area, Area];
  acceptMessages: AcceptMessages;
  applyTemplate: ApplyTemplate;
}

/** Builds the Email area. */
export function createEmail(deps: Deps): Email {
  const acceptMessages = createAcceptMessages(deps);
  const renderStored = createRenderStored();
  const applyTemplate = createApplyTemplate(deps, renderStored);
  const send = { acceptMessages, applyTemplate, senderRule: deps.senderRule };
  const area: Area = {
    name: 'email',
    bases: ['/v1/email', '/v1', '/v1/:username', '/emailapi/v1/:username'],
    headerForms: ['bearer', 'token'],
    errorSchema: EmailErrors,
    errorBody: emailErrorBody,
    notImplemented: ['/receiving'],
    endpoints: [
      sendMessageEndpoint(send),
      sendBulkEndpoint(send),
      sendTemplatedEndpoint(send),
      ...scheduleEndpoints({ ...deps, ...send }),
      receiptEndpoint({ readReceipt: (act, id) => readReceipt(deps, act, id) }),
      ...messageLogEndpoints({
        listMessages: (act, query) => listMessages(deps, act, query),
        readLoggedMessage: (act, id) => readLoggedMessage(deps, act, id),
      }),
      evidenceEndpoint({ exportEvidence: (act, id) => exportEvidence(deps, act, id) }),
      ...dynamicTemplateEndpoints(deps),
      ...templateTrialEndpoints({ ...deps, renderStored }),
      ...webhookEndpointEndpoints(deps),
      eventsEndpoint({ listEvents: (act, page) => listEvents(deps, act, page) }),
      ...settingsEndpoints(deps),
      ...suppressionEndpoints(deps),
      ...sendingDomainEndpoints(deps),
      ...tlsExceptionEndpoints(deps),
      routeEndpoint(deps),
      sandboxEndpoint({ readInbox: (act, to) => readInbox(deps, act, to) }),
    ],
  };
  return { areas: [area, createWebhooksArea(deps)], acceptMessages, applyTemplate };
}
