import { ShieldAlert, ShieldCheck } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/messages.ts';

type Recipient = Reply<'readMessage'>['data']['recipients'][number];
type Attempt = Recipient['attempts'][number];

const TONES: Record<string, Tone> = {
  delivered: 'good',
  bounced: 'bad',
  uncertain: 'warn',
  queued: 'warn',
  noticed: 'info',
};

/** Every attempt at every recipient, with the proof of how it was secured. */
export function Attempts({ recipients, waits }: { recipients: readonly Recipient[]; waits: boolean }) {
  return (
    <Card title={words.attempts} lead={words.attemptsLead}>
      <ul className="flex flex-col gap-6">
        {recipients.map((recipient) => (
          <li key={`${recipient.kind}-${recipient.address}`} className="flex flex-col gap-3">
            <h3 className="flex flex-wrap items-center gap-2 font-medium">
              <span className="text-soft">{words.kinds[recipient.kind]}</span>
              <span className="break-all">{recipient.address}</span>
              <Badge tone={TONES[recipient.state] ?? 'plain'}>
                {waits ? words.states.scheduled : words.recipientState(recipient.state)}
              </Badge>
              {recipient.portal && <Badge tone="info">{words.portal}</Badge>}
            </h3>
            {recipient.attempts.length === 0 && <p className="text-sm text-soft">{words.noAttempts}</p>}
            {recipient.attempts.toReversed().map((attempt) => (
              <AttemptPart key={attempt.number} attempt={attempt} />
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AttemptPart({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, outcome, peer, smtpResponse, tls } = attempt;
  return (
    <div className="rounded-md border p-3 sm:p-4">
      <div className="mb-3 flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium">{words.attempt(number)}</span>
        <Badge tone={TONES[outcome ?? ''] ?? 'warn'}>{words.outcome(outcome)}</Badge>
        <span className="text-soft">
          <When at={startedAt} exact />
        </span>
      </div>
      <div className="text-sm">
        <Facts
          facts={[
            ...(peer === null ? [] : [[words.peer, peer] as const]),
            ...(smtpResponse === null ? [] : [[words.response, smtpResponse] as const]),
            ...(tls === null ? [[words.protocol, words.noConnection] as const] : tlsFacts(tls)),
          ]}
        />
      </div>
    </div>
  );
}

function tlsFacts(tls: NonNullable<Attempt['tls']>) {
  const { version, cipher, certificateSha256, verified, policy, basis, reason } = tls;
  const Shield = verified ? ShieldCheck : ShieldAlert;
  return [
    [words.protocol, words.protocolIs(version, cipher)] as const,
    [
      words.verification,
      <span key="by" className="flex flex-wrap items-center gap-2">
        <Badge tone={verified ? 'good' : 'bad'}>
          <Shield aria-hidden className="size-3.5" />
          {verified ? words.verified : words.unverified}
        </Badge>
        {verified && words.verifiedBy(policy)}
      </span>,
    ] as const,
    ...(basis === null
      ? []
      : [
          [
            words.basis,
            <code key="basis" className="text-xs break-all">
              {basis}
            </code>,
          ] as const,
        ]),
    ...(reason === null ? [] : [[words.whyUnverified, reason] as const]),
    ...(certificateSha256 === null
      ? []
      : [
          [
            words.certificate,
            <code key="hash" className="text-xs break-all">
              {certificateSha256}
            </code>,
          ] as const,
        ]),
  ];
}
