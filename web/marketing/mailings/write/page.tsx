import { useParams } from '@tanstack/react-router';
import { useAnew, useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { Loaded } from '../../../ui/problem.tsx';
import { Editor } from './editor.tsx';
import { LookOnly } from './look-only.tsx';
import { mergeFieldsOf } from './merge-fields.ts';

/** Where a mailing is written. */
export function WritePage() {
  const { mailingId } = useParams({ strict: false }) as { mailingId: string };
  const read = useAnew('readCampaignMailing', { params: { id: mailingId } });
  const types = useRead('listCustomFieldTypes', {});
  const mayChange = useMay('editor');
  return (
    <Loaded read={read}>
      {({ data }) =>
        mayChange ? (
          <Loaded read={types}>
            {(fields) => <Editor key={data.id} mailing={data} fields={mergeFieldsOf(fields.data)} />}
          </Loaded>
        ) : (
          <LookOnly mailing={data} />
        )
      }
    </Loaded>
  );
}
