import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/versions.ts';
import { type Form, FormFrame } from '../form/frame.tsx';
import { Difference } from './difference.tsx';

/** The versions of a form and what is different between any two. */
export function VersionsPage() {
  return <FormFrame>{(form) => <Versions form={form} />}</FormFrame>;
}

function Versions({ form }: { form: Form }) {
  const read = useRead('listFormVersions', { params: { id: form.id }, query: { items: '100' } });
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <Card title={words.title} lead={words.lead}>
        <Loaded read={read}>
          {({ data }) => (
            <ol className="flex flex-col divide-y">
              {data.map(({ version, created_at: at, changes }) => (
                <li key={version} className="py-3">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {words.version(version)}
                    {version === form.version && <Badge tone="brand">{words.now}</Badge>}
                    <span className="text-sm font-normal text-soft">
                      <When at={at} exact />
                    </span>
                  </p>
                  <p className="text-sm text-soft">{changes}</p>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      </Card>
      <Compare form={form} />
    </div>
  );
}

function Compare({ form }: { form: Form }) {
  const [from, setFrom] = useState(Math.max(1, form.version - 1));
  const [to, setTo] = useState(form.version);
  const numbers = Array.from({ length: form.version }, (_none, at) => form.version - at);
  return (
    <Card title={words.compare}>
      {form.version === 1 ? (
        <p className="text-sm text-soft">{words.onlyOne}</p>
      ) : (
        <>
          <div className="mb-4 flex flex-wrap gap-3">
            {(
              [
                [words.from, from, setFrom],
                [words.to, to, setTo],
              ] as const
            ).map(([label, value, set]) => (
              <Field key={label} label={label} className="w-40">
                <Select value={value} onChange={({ target }) => set(Number(target.value))}>
                  {numbers.map((number) => (
                    <option key={number} value={number}>
                      {number}
                    </option>
                  ))}
                </Select>
              </Field>
            ))}
          </div>
          {from === to ? (
            <p className="text-sm text-soft">{words.same}</p>
          ) : (
            <Difference formId={form.id} from={from} to={to} />
          )}
        </>
      )}
    </Card>
  );
}
