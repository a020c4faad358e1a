import { useQueryClient } from '@tanstack/react-query';
import { Download, File as FileIcon } from 'lucide-react';
import { download } from '../../../api/client.ts';
import { forget } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { fileSize } from '../../../ui/file-size.ts';
import { Card } from '../../../ui/page.tsx';
import { tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';

/** The files that came along with a submission. */
export function Attachments({ submission }: { submission: Submission }) {
  const { id: sid, form_id: id, attachments } = submission;
  const queries = useQueryClient();
  return (
    <Card title={words.attachments}>
      {attachments.length === 0 ? (
        <p className="text-sm text-soft">{words.noAttachments}</p>
      ) : (
        <ul className="flex flex-col divide-y">
          {attachments.map((file) => (
            <li key={file.id} className="flex items-center gap-3 py-2">
              <FileIcon aria-hidden className="size-5 shrink-0 text-soft" />
              <div className="min-w-0 grow">
                <p className="truncate font-medium">{file.name}</p>
                <p className="text-xs text-soft">{fileSize(file.size)}</p>
              </div>
              <Button
                icon={Download}
                aria-label={words.saveFile(file.name)}
                onClick={() =>
                  void download('readAttachment', { params: { id, sid, aid: file.id } }, file.name)
                    .then(() => forget(queries, ['listDisclosures']))
                    .catch(tellProblem)
                }
              >
                {words.save}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
