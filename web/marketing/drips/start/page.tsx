import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { Attempts } from '../../../api/attempts.ts';
import { fieldProblem, isAbout } from '../../../api/field-problem.ts';
import { problemOf } from '../../../api/problem.ts';
import { forget, useRead } from '../../../api/query.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Choice, Field, Input, Select } from '../../../ui/field.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/drips/starts.ts';
import { words as drips } from '../../../words/drips.ts';
import { words as shared } from '../../../words/shared.ts';
import { createFrom, type NewDrip } from './create.ts';
import { STARTS, type StartName } from './starts.ts';

const NAMES = Object.keys(STARTS) as StartName[];
const SHOWN = ['name', 'subscription_list_id', 'sender_email', 'from_name'].map((name) => `drip_campaign.${name}`);

/** A new campaign: what it begins with, what it is called, and whose list it is on. */
export function NewDripPage() {
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  const form = useForm<NewDrip>({
    defaultValues: { name: words.starts.welcome.name, list: '', start: 'welcome', senderEmail: '', fromName: '' },
  });
  const client = useQueryClient();
  const navigate = useNavigate();
  // Mails that were written before something else was refused are not written twice.
  const written = useRef(new Map<string, string>());
  const [attempts] = useState(() => new Attempts());
  const create = useMutation({
    mutationFn: (wish: NewDrip) =>
      attempts.make(wish, (key) => createFrom({ ...wish, list: wish.list || defaultList }, written.current, key)),
    onSuccess: async (id) => {
      await forget(client, ['listDripCampaigns', 'listCampaignMailings']);
      await navigate({ to: '/marketing/drips/$id', params: { id } });
    },
    onSettled: (_id, _problem, wish) => attempts.end(wish),
  });
  const options = lists.data?.data ?? [];
  const defaultList = (options.find(({ attributes }) => attributes.is_default) ?? options[0])?.id ?? '';
  const problem = create.error === null ? null : problemOf(create.error);
  const problemAt = (name: string) => {
    const text = fieldProblem(problem, `drip_campaign.${name}`);
    return text === undefined ? {} : { problem: text };
  };
  const { errors } = form.formState;
  return (
    <Page title={words.title} lead={words.lead} back={{ label: drips.title, to: '/marketing/drips' }}>
      <Card>
        <form
          className="flex flex-col gap-5"
          noValidate
          onSubmit={(event) => void form.handleSubmit((wish) => attempts.begin(wish) && create.mutate(wish))(event)}
        >
          <Controller
            control={form.control}
            name="start"
            render={({ field }) => (
              <Choice
                legend={words.from}
                value={field.value}
                options={NAMES.map((name) => ({
                  value: name,
                  label: words.starts[name].name,
                  hint: [
                    words.starts[name].hint,
                    ...(STARTS[name].mails.length === 0 ? [] : [words.withMails(STARTS[name].mails.length)]),
                  ].join(' '),
                }))}
                onChange={(name) => {
                  field.onChange(name);
                  if (!form.formState.dirtyFields.name)
                    form.setValue('name', name === 'blank' ? '' : words.starts[name].name);
                }}
              />
            )}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={words.name}
              {...(errors.name === undefined ? problemAt('name') : { problem: words.needsName })}
            >
              <Input maxLength={255} autoComplete="off" {...form.register('name', { required: true })} />
            </Field>
            <Field label={words.list} hint={words.listHint} {...problemAt('subscription_list_id')}>
              <Select {...form.register('list')}>
                {options.map(({ id, attributes }) => (
                  <option key={id} value={id === defaultList ? '' : id}>
                    {attributes.name}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={words.sender} optional hint={words.senderHint} {...problemAt('sender_email')}>
              <Input type="email" autoComplete="off" {...form.register('senderEmail')} />
            </Field>
            <Field label={words.fromName} optional {...problemAt('from_name')}>
              <Input maxLength={500} autoComplete="off" {...form.register('fromName')} />
            </Field>
          </div>
          {problem !== null && !isAbout(problem, ...SHOWN) && <Problem error={problem} />}
          <Actions>
            <ButtonLink to="/marketing/drips">{shared.cancel}</ButtonLink>
            <Button look="primary" type="submit" busy={create.isPending}>
              {create.isPending ? words.creating : words.create}
            </Button>
          </Actions>
        </form>
      </Card>
    </Page>
  );
}
