import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Badge, Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/messages.ts';
import { words as shared } from '../../words/shared.ts';

type Route = Reply<'explainRoute'>['data'];

const TONES = { content: 'good', notice: 'warn', nothing: 'bad' } as const;

/** Why mail to a domain can or cannot leave at this moment: one of those given, or one that is typed. */
export function RouteCard({ domains }: { domains?: readonly string[] }) {
  const [domain, setDomain] = useState(domains?.[0] ?? '');
  // Asking calls strangers' servers and is written down, so it waits for a person to ask.
  const ask = useWrite('explainRoute');
  return (
    <Card title={domains === undefined ? words.whyAny : words.why} lead={words.whyLead}>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate({ query: { domain } });
        }}
      >
        <Field
          label={words.domain}
          className="grow sm:max-w-80"
          problem={fieldProblem(ask.error, 'domain')}
          {...(domains === undefined ? { hint: words.domainHint } : {})}
        >
          {domains === undefined ? (
            <Input
              required
              autoComplete="off"
              spellCheck={false}
              value={domain}
              onChange={(event) => setDomain(event.target.value)}
            />
          ) : (
            <Select value={domain} onChange={(event) => setDomain(event.target.value)}>
              {domains.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit" busy={ask.isPending} className={domains === undefined ? 'mb-6' : ''}>
          {words.ask}
        </Button>
      </form>
      {ask.error !== null && !isAbout(ask.error, 'domain') && <Problem error={ask.error} />}
      {ask.data !== undefined && <Explained route={ask.data.data} />}
    </Card>
  );
}

function Explained({ route }: { route: Route }) {
  return (
    <div role="status" className="mt-4 flex flex-col gap-4">
      <Notice tone={TONES[route.outcome]} title={words.outcomes[route.outcome]}>
        <p className="break-words">{route.summary}</p>
      </Notice>
      {route.hosts.length > 0 && (
        <>
          <Facts
            facts={[
              [words.sts, route.mta_sts === null ? words.noSts : words.stsIs(route.mta_sts.mode)],
              [words.remembered, route.remembered ? shared.yes : shared.no],
            ]}
          />
          <h3 className="text-sm font-medium">{words.hosts}</h3>
          <ul className="flex flex-col gap-3">
            {route.hosts.map((host) => (
              <Host key={host.host} host={host} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Host({ host: { host, verified, policy, reason, tls, tlsa } }: { host: Route['hosts'][number] }) {
  return (
    <li className="rounded-md border p-3 text-sm">
      <Facts
        facts={[
          [words.host, host],
          [
            words.verification,
            <span key="by" className="flex flex-wrap items-center gap-2">
              <Badge tone={verified ? 'good' : 'bad'}>{verified ? words.verified : words.unverified}</Badge>
              {verified && words.verifiedBy(policy)}
            </span>,
          ],
          ...(reason === null ? [] : [[words.whyUnverified, reason] as const]),
          [words.dane, words.daneIs(tlsa)],
          ...(tls === null
            ? []
            : [
                [words.protocol, words.protocolIs(tls.version, tls.cipher)] as const,
                [
                  words.certificate,
                  <code key="hash" className="text-xs break-all">
                    {tls.certificate_sha256}
                  </code>,
                ] as const,
              ]),
        ]}
      />
    </li>
  );
}
