import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { download, type Operation } from '../../../api/client.ts';
import { forget } from '../../../api/query.ts';
import { Menu } from '../../../ui/menu.tsx';
import { tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';

/** The submission as a file, in the shapes that others need. */
export function TakeOut({ submission }: { submission: Submission }) {
  const { id: sid, form_id: id } = submission;
  const queries = useQueryClient();
  const save = (
    op: 'exportSubmissionPdf' | 'exportSubmissionCsv' | 'exportQuestionnaireResponse' | 'readCertificate',
    name: string,
  ) =>
    void download(op satisfies Operation, { params: { id, sid } }, name)
      .then(() => forget(queries, ['listDisclosures']))
      .catch(tellProblem);
  const items = [
    { label: words.pdf, onSelect: () => save('exportSubmissionPdf', `${sid}.pdf`) },
    { label: words.csv, onSelect: () => save('exportSubmissionCsv', `${sid}.csv`) },
    { label: words.fhir, onSelect: () => save('exportQuestionnaireResponse', `${sid}.json`) },
    ...(submission.signature === null
      ? []
      : [{ label: words.certificate, onSelect: () => save('readCertificate', `certificate-${sid}.pdf`) }]),
  ];
  return (
    <Menu
      label={words.takeOut}
      items={items}
      trigger={
        <span className="inline-flex items-center gap-2 text-sm font-medium">
          {words.takeOut}
          <ChevronDown aria-hidden className="size-4" />
        </span>
      }
    />
  );
}
