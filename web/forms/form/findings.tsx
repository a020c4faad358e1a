import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/forms/form.ts';

type Finding = Reply<'checkForm'>['data'][number];

/** What the check of a form has found. */
export function Findings({ formId }: { formId: string }) {
  const read = useRead('checkForm', { params: { id: formId } });
  return (
    <Card title={words.check} lead={words.checkLead}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="flex items-center gap-2 text-good">
              <CircleCheck aria-hidden className="size-5" />
              {words.checkFine}
            </p>
          ) : (
            <FindingList findings={data} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Findings one below the other, those first that have to be mended. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="flex flex-col divide-y">
      {findings.map((finding) => (
        <li key={`${finding.field}${finding.words}`} className="flex items-start gap-3 py-2.5">
          {finding.severity === 'error' ? (
            <CircleAlert aria-label={words.error} className="mt-0.5 size-5 shrink-0 text-bad" />
          ) : (
            <TriangleAlert aria-label={words.warning} className="mt-0.5 size-5 shrink-0 text-warn" />
          )}
          <p className="min-w-0">
            {finding.field !== null && (
              <code className="mr-2 rounded bg-sunken px-1.5 py-0.5 font-mono text-xs">{finding.field}</code>
            )}
            {finding.words}
          </p>
        </li>
      ))}
    </ul>
  );
}
