import { Notice } from '../../../ui/badge.tsx';
import { HtmlFrame } from '../../../ui/frame.tsx';
import { Card, Facts } from '../../../ui/page.tsx';
import { words as blockWords } from '../../../words/blocks.ts';
import { words } from '../../../words/mailings.ts';
import { kindOf, summaryOf } from '../blocks/kinds.ts';
import { MailingFrame } from '../mailing-frame.tsx';
import { draftOf, type Mailing } from './draft.ts';

/** A mailing for those who may look at it and no more: as it was written, filled in for nobody. */
export function LookOnly({ mailing }: { mailing: Mailing }) {
  const { attributes } = mailing;
  const { language, items, source } = draftOf(mailing);
  return (
    <MailingFrame mailing={{ id: mailing.id, name: attributes.subject }}>
      <Notice>{words.readOnly}</Notice>
      <Card title={words.details}>
        <Facts
          facts={[
            [words.subject, attributes.default_subject ?? attributes.subject],
            [words.preheader, attributes.preheader],
            [words.facts.from, attributes.from],
          ]}
        />
      </Card>
      <Card title={blockWords.title}>
        {language === 'html' && <HtmlFrame title={words.preview} html={source} />}
        {language === 'mjml' && <pre className="overflow-auto font-mono text-sm whitespace-pre-wrap">{source}</pre>}
        {language === 'blocks' && (
          <ul className="flex flex-col divide-y text-sm">
            {items.map((item) => (
              <li key={item.id} className="flex gap-3 py-2">
                <span className="w-28 shrink-0 font-medium">{blockWords.kinds[kindOf(item)]}</span>
                <span className="min-w-0 break-words whitespace-pre-line text-soft">{summaryOf(item)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </MailingFrame>
  );
}
