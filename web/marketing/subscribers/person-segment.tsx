import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/person.ts';
import type { ChosenPerson } from '../mailings/person-picker.tsx';
import { SegmentExplanation } from '../segments/explain-card.tsx';

/** Whether somebody is in a segment, and which conditions say so. */
export function PersonSegment({ person }: { person: ChosenPerson }) {
  const [segment, setSegment] = useState('');
  const segments = useRead('listDynamicLists', { query: { order_by: 'name', order: 'asc', with_stats: 'false' } });
  const all = segments.data?.data ?? [];
  if (all.length === 0) return null;
  return (
    <Card title={words.whyTitle}>
      <div className="flex flex-col gap-3">
        <Field label={words.whySegment}>
          <Select value={segment} onChange={(event) => setSegment(event.target.value)}>
            <option value="">{words.choose}</option>
            {all.map(({ id, attributes: { name } }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        {segment !== '' && <SegmentExplanation segmentId={segment} person={person} />}
      </div>
    </Card>
  );
}
