import { Paperclip } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { HtmlFrame } from '../../ui/frame.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { words } from '../../words/email/messages.ts';

type Kept = Reply<'readMessage'>['data']['content'];

/** What a message says, for as long as that is kept. */
export function Content({ content }: { content: Kept }) {
  return (
    <Card title={words.content}>
      {content === null ? <p className="text-soft">{words.contentGone}</p> : <Said {...content} />}
    </Card>
  );
}

/** A text in its ways to be seen, and the files with it. */
export function Said({ html, text, attachments }: NonNullable<Kept>) {
  const tabs = [
    ...(html === null || html === ''
      ? []
      : [
          {
            value: 'html',
            label: words.html,
            content: (
              <HtmlFrame title={words.html} html={html} className="h-[28rem] w-full rounded-md border bg-white" />
            ),
          },
        ]),
    ...(text === null || text === ''
      ? []
      : [
          {
            value: 'text',
            label: words.text,
            content: (
              <pre className="overflow-x-auto rounded-md border bg-sunken p-4 font-sans text-sm whitespace-pre-wrap">
                {text}
              </pre>
            ),
          },
        ]),
  ];
  return (
    <div className="flex flex-col gap-4">
      {tabs.length === 0 ? (
        <p className="text-soft">{words.noContent}</p>
      ) : (
        <Tabs label={words.contentViews} tabs={tabs} />
      )}
      {attachments.length > 0 && (
        <div>
          <h3 className="mb-1 text-sm font-medium">{words.attachments}</h3>
          <ul className="flex flex-col gap-1">
            {attachments.map(({ fileName, contentType, size }) => (
              <li key={fileName} className="flex flex-wrap items-center gap-2 text-sm">
                <Paperclip aria-hidden className="size-4 text-soft" />
                <span className="break-all">{fileName}</span>
                <span className="text-soft">
                  {contentType} · {words.bytes(size)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
