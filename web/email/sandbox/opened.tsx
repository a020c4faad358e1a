import type { Reply } from '../../api/client.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { words } from '../../words/email/sandbox.ts';
import { Said } from '../messages/content.tsx';

/** One message of the sandbox, as its recipient would have it. */
export function Opened({ mail }: { mail: Reply<'readSandbox'>['data'][number] }) {
  return (
    <Card
      title={mail.subject === '' ? words.noSubject : mail.subject}
      actions={
        <ButtonLink to="/email/messages/$id" params={{ id: mail.sourceTrackingId }}>
          {words.openLog}
        </ButtonLink>
      }
      className="min-w-0"
    >
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [words.from, mail.from],
            [words.to, mail.to.join(', ')],
            [words.encryption, words.encryptionIs(mail.tls.version, mail.tls.cipher)],
          ]}
        />
        <Said html={mail.html} text={mail.text} attachments={mail.attachments} />
        <details>
          <summary className="cursor-pointer text-sm font-medium">{words.headers}</summary>
          <dl className="mt-2 grid gap-x-4 gap-y-1 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs sm:grid-cols-[auto_1fr]">
            {Object.entries(mail.headers).map(([name, value]) => (
              <div key={name} className="sm:contents">
                <dt className="font-semibold">{name}</dt>
                <dd className="break-all">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </Card>
  );
}
