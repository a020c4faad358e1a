import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { type ApiProblem, problemOf as apiProblemOf } from '../../api/problem.ts';
import { forget } from '../../api/query.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { words } from '../../words/imports.ts';
import { readPeopleSearch } from '../subscribers/choice.ts';
import { type CsvHead, readHead, readText } from './csv-head.ts';
import { type ImportSettings, SettingsCard } from './import-settings.tsx';
import { guessTargets, mappingOf, problemOf, type Target } from './mapping.ts';
import { MappingTable } from './mapping-table.tsx';

interface Chosen {
  file: File;
  text: string;
  head: CsvHead;
  targets: Target[];
}

const MOST_BYTES = 262_144_000;

/** Chooses a file, says what its columns hold, and has it looked at by a dry run. */
export function NewImportPage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { list } = readPeopleSearch(useSearch({ strict: false }));
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fileProblem, setFileProblem] = useState<string>();
  const [settings, setSettings] = useState<ImportSettings>({
    list: String(list ?? ''),
    consent: '',
    startDrips: false,
  });
  /** The share that has left, while the file is sent. */
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    setChosen(null);
    setProblem(null);
    setFileProblem(undefined);
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return setFileProblem(words.tooLarge);
    const text = await readText(file);
    const head = readHead(text);
    if (head === null) return setFileProblem(words.notReadable);
    setChosen({ file, text, head, targets: guessTargets(head) });
  };
  const readAgain = (said: { delimiter?: string; hasHeader?: boolean }) => {
    if (chosen === null) return;
    const { delimiter, hasHeader } = chosen.head;
    const head = readHead(chosen.text, { delimiter, hasHeader, ...said });
    if (head !== null) setChosen({ ...chosen, head, targets: guessTargets(head) });
  };
  const begin = async ({ file, head, targets }: Chosen) => {
    setSent(0);
    setProblem(null);
    try {
      const query = {
        dry_run: 'true',
        mapping: mappingOf(targets),
        delimiter: head.delimiter,
        has_header: String(head.hasHeader),
        subscription_list_id: settings.list || undefined,
        consent_text: settings.consent || undefined,
        start_drips: settings.startDrips ? 'true' : undefined,
      };
      const { data } = await call(
        'createImport',
        { query },
        { raw: file, headers: { 'content-type': 'text/csv' }, onSent: setSent },
      );
      await forget(client, ['listImports']);
      await navigate({ to: `/marketing/imports/${data.id}` });
    } catch (error) {
      setProblem(apiProblemOf(error));
      setSent(null);
    }
  };
  return (
    <Page title={words.newTitle} lead={words.newLead} back={{ label: words.back, to: '/marketing/imports' }}>
      <Card title={words.fileTitle}>
        <Field
          label={words.file}
          hint={chosen === null ? words.fileHint : words.size(chosen.file.size)}
          problem={fileProblem}
        >
          <Input
            type="file"
            className="file:mr-3 file:rounded file:border file:border-line-strong file:bg-sunken file:px-3 file:py-0.5 file:text-sm"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={(event) => void choose(event)}
          />
        </Field>
      </Card>
      {chosen !== null && (
        <>
          <Card title={words.mappingTitle} lead={words.mappingLead}>
            <div className="flex flex-col gap-4">
              <FileForm head={chosen.head} onSay={readAgain} />
              <MappingTable
                head={chosen.head}
                targets={chosen.targets}
                onChange={(targets) => setChosen({ ...chosen, targets })}
              />
              <p className="text-sm text-soft">{words.healthWarning}</p>
            </div>
          </Card>
          <SettingsCard settings={settings} onChange={setSettings} />
          <Begin chosen={chosen} sent={sent} problem={problem} onBegin={() => void begin(chosen)} />
        </>
      )}
    </Page>
  );
}

function FileForm({ head, onSay }: { head: CsvHead; onSay(said: { delimiter?: string; hasHeader?: boolean }): void }) {
  return (
    <div className="flex flex-wrap items-end gap-6">
      <Field label={words.delimiter}>
        <Select
          className="w-auto"
          value={head.delimiter}
          onChange={(event) => onSay({ delimiter: event.target.value })}
        >
          {Object.entries(words.delimiters).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        className="pb-2"
        label={words.hasHeader}
        checked={head.hasHeader}
        onChange={(event) => onSay({ hasHeader: event.target.checked })}
      />
    </div>
  );
}

interface BeginProps {
  chosen: Chosen;
  sent: number | null;
  problem: ApiProblem | null;
  onBegin(): void;
}

function Begin({ chosen, sent, problem, onBegin }: BeginProps) {
  const mistake = problemOf(chosen.targets);
  return (
    <div className="flex flex-col gap-3">
      {mistake !== null && <Notice tone="warn">{mistake}</Notice>}
      {problem !== null && <Problem error={problem} />}
      {sent !== null && (
        <Progress label={words.sending} done={sent * chosen.file.size} of={chosen.file.size} write={words.size} />
      )}
      <Actions>
        <Button look="primary" busy={sent !== null} disabled={mistake !== null} onClick={onBegin}>
          {words.begin}
        </Button>
      </Actions>
    </div>
  );
}
