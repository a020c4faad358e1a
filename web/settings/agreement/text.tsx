import type { Reply } from '../../api/client.ts';
import { Notice } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/settings/agreement.ts';

/** The text of the current version, all of it. */
export function AgreementText({ text }: { text: Reply<'readAgreement'>['text'] }) {
  return (
    <Card title={words.text} lead={words.textLead(text.version)}>
      <Notice tone="info">{text.notice}</Notice>
      <div
        tabIndex={0}
        role="region"
        aria-label={text.title}
        className="mt-4 max-h-[32rem] overflow-y-auto rounded-md border bg-canvas px-4 py-3 sm:px-6"
      >
        {text.sections.map(({ heading, paragraphs }) => (
          <section key={heading} className="mx-auto max-w-prose py-2">
            <h3 className="text-sm font-semibold">{heading}</h3>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-2 text-sm leading-relaxed">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </Card>
  );
}
