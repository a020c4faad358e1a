import { useParams } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useRef } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { words } from '../../../words/forms/submission.ts';
import { Amendments } from './amendments.tsx';
import { Attachments } from './attachments.tsx';
import { Beside } from './beside.tsx';
import { Destroy } from './destroy.tsx';
import { FilledIn, type FilledInHandle } from './filled-in.tsx';
import { Notes } from './notes.tsx';
import { Sealed } from './sealed.tsx';
import { Seen } from './seen.tsx';
import { Signatures } from './signatures.tsx';
import { TakeOut } from './take-out.tsx';
import { Work } from './work.tsx';

export type Submission = Reply<'readSubmission'>['data'];

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** One submission as it was filled in, with everything that staff does about it beside. */
export function SubmissionPage() {
  const { id = '', sid = '' } = useParams({ strict: false }) as { id?: string; sid?: string };
  const read = useRead('readSubmission', { params: { id, sid } });
  const filledIn = useRef<FilledInHandle>(null);
  const submission = read.data?.data;
  const isReadable = submission !== undefined && submission.sealed === null;
  return (
    <Page
      title={submission === undefined ? '' : words.title(DAY.format(new Date(submission.created_at)))}
      lead={submission?.submitter_email ?? undefined}
      back={{ label: words.back, to: '/forms/$id/submissions', params: { id } }}
      wide
      actions={
        <>
          <Beside formId={id} id={sid} />
          {isReadable && (
            <>
              <Button icon={Printer} onClick={() => filledIn.current?.print()}>
                {words.print}
              </Button>
              <TakeOut submission={submission} />
            </>
          )}
        </>
      }
    >
      <Loaded read={read}>
        {({ data }) => (
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
            {data.sealed === null ? <FilledIn ref={filledIn} submission={data} /> : <Sealed submission={data} />}
            <div className="flex flex-col gap-5" data-print="no">
              <Work submission={data} />
              <Notes submission={data} />
              {data.sealed === null && <Attachments submission={data} />}
              <Signatures submission={data} />
              {data.sealed === null && <Amendments submission={data} />}
              <Seen submission={data} />
              <Destroy submission={data} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
