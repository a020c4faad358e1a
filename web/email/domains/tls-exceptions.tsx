import { X } from 'lucide-react';
import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/domains.ts';

/** The domains of recipients for which encryption that is not verified is enough. */
export function TlsExceptions({ mayEdit }: { mayEdit: boolean }) {
  const read = useRead('listTlsExceptions', {});
  const [domain, setDomain] = useState('');
  const add = useWrite('createTlsException', {
    stale: ['listTlsExceptions'],
    onDone: () => {
      setDomain('');
      tell(words.exceptionAdded);
    },
  });
  const remove = useWrite('deleteTlsException', {
    stale: ['listTlsExceptions'],
    onDone: ({ data }) =>
      tell(words.exceptionRemoved, () => add.mutate({ body: { domain: data.domain } }, { onError: tellProblem })),
  });
  return (
    <Card title={words.exceptions} lead={words.exceptionsLead}>
      <div className="flex flex-col gap-4">
        <Loaded read={read}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-sm text-soft">{words.noExceptions}</p>
            ) : (
              <ul className="flex flex-col divide-y rounded-md border">
                {data.map(({ id, domain: name, created_at: at }) => (
                  <li key={id} className="flex items-center justify-between gap-2 px-3 py-1.5">
                    <span className="min-w-0 break-all">{name}</span>
                    <span className="flex items-center gap-2 text-sm text-soft">
                      {words.since} <When at={at} />
                      {mayEdit && (
                        <Button
                          look="quiet"
                          icon={X}
                          aria-label={words.removeException(name)}
                          onClick={() => remove.mutate({ params: { id } }, { onError: tellProblem })}
                        />
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        {mayEdit && (
          <form
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              add.mutate({ body: { domain: domain.trim() } });
            }}
          >
            <Field
              label={words.exceptionDomain}
              className="grow sm:max-w-80"
              problem={fieldProblem(add.error, 'domain')}
            >
              <Input
                required
                autoComplete="off"
                spellCheck={false}
                value={domain}
                onChange={(event) => setDomain(event.target.value)}
              />
            </Field>
            <Button type="submit" busy={add.isPending}>
              {words.addException}
            </Button>
          </form>
        )}
        {add.error !== null && !isAbout(add.error, 'domain') && <Problem error={add.error} />}
      </div>
    </Card>
  );
}
