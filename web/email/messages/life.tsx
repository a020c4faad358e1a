import type { Reply } from '../../api/client.ts';
import { classes } from '../../ui/classes.ts';
import { Card } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/messages.ts';

type Message = Reply<'readMessage'>['data'];

const GOOD = /delivered|opened|delivery$/;
const BAD = /permanent_failure|bounce|complaint/;

/** What happened to a message, from the first to the last. */
export function Life({ message }: { message: Message }) {
  const several = message.recipients.length > 1;
  return (
    <Card title={words.life}>
      <ol className="flex flex-col">
        {message.timeline.map(({ at, event, recipient, said }, index) => (
          <li key={`${at}-${event}-${recipient}`} className="relative flex gap-3 pb-4 last:pb-0">
            {index < message.timeline.length - 1 && (
              <span aria-hidden className="absolute top-4 bottom-0 left-[5px] w-px bg-line" />
            )}
            <span
              aria-hidden
              className={classes(
                'mt-1.5 size-[11px] shrink-0 rounded-full',
                GOOD.test(event) ? 'bg-good' : BAD.test(event) ? 'bg-bad' : 'bg-line-strong',
              )}
            />
            <div className="min-w-0">
              <p className="font-medium">{words.eventInWords(event)}</p>
              <p className="text-sm text-soft">
                <When at={at} exact />
                {several && recipient !== null && ` · ${recipient}`}
              </p>
              {said !== undefined && <p className="text-sm break-words">{words.said(said)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
