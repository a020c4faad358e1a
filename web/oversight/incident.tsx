import { useParams } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { download, type Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadedPage } from '../ui/loaded-page.tsx';
import { Card, Facts, Page } from '../ui/page.tsx';
import { tellProblem } from '../ui/toast.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/oversight.ts';
import { AddEntry } from './add-entry.tsx';
import { STATE_TONES } from './incidents.tsx';
import { usePlace } from './place.ts';

type Incident = Reply<'readIncident'>;

const words = all.incidents;

/** One incident: what is known, its timeline and its export. */
export function IncidentPage() {
  const { incidentId = '' } = useParams({ strict: false });
  const { incidents, isInstallation } = usePlace();
  const read = useRead(incidents.read, { params: { id: incidentId } });
  const back = { label: words.back, to: incidents.at };
  return (
    <LoadedPage title={words.one} back={back} read={read}>
      {(incident) => (
        <Page title={words.one} back={back} actions={isInstallation ? undefined : <Exports id={incident.id} />}>
          <Known incident={incident} />
          <Card title={words.timeline} lead={words.timelineLead}>
            <ol className="mb-4 divide-y">
              {incident.timeline.map(({ at, state, text }) => (
                <li key={`${at} ${text}`} className="flex flex-col gap-1 py-2">
                  <span className="flex items-center gap-2 text-sm text-soft">
                    <When at={at} exact /> <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>
                  </span>
                  <span className="break-words whitespace-pre-wrap">{text}</span>
                </li>
              ))}
            </ol>
            {incident.state !== 'closed' && <AddEntry incident={incident} />}
          </Card>
        </Page>
      )}
    </LoadedPage>
  );
}

function Exports({ id }: { id: string }) {
  const params = { params: { id } };
  return (
    <>
      <Button
        icon={Download}
        onClick={() => void download('exportIncident', params, 'incident.json').catch(tellProblem)}
      >
        {words.exportJson}
      </Button>
      <Button
        icon={Download}
        onClick={() => void download('exportIncidentCsv', params, 'individuals.csv').catch(tellProblem)}
      >
        {words.exportCsv}
      </Button>
    </>
  );
}

function Known({ incident }: { incident: Incident }) {
  const { discovered_at: discovered, notice_due_at: due, days_left: days, state, severity } = incident;
  return (
    <Card title={words.facts} actions={<Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>}>
      <Facts
        facts={[
          [words.severity, words.severities[severity]],
          [words.discovered, <When key="discovered" at={discovered} exact />],
          [words.breachFrom, <KnownMoment key="from" at={incident.breach_from} />],
          [words.breachTo, <KnownMoment key="to" at={incident.breach_to} />],
          [
            words.due,
            <span key="due">
              <When at={due} exact /> {state !== 'closed' && `(${words.left(days)})`}
            </span>,
          ],
          [words.what, incident.what_happened],
          [words.information, incident.information || words.nothing],
          [words.steps, incident.steps || words.nothing],
          [words.doing, incident.doing || words.nothing],
          [words.contact, incident.contact || words.nothing],
        ]}
      />
    </Card>
  );
}

function KnownMoment({ at }: { at: string | null }) {
  return at === null ? <span className="text-soft">{words.notKnown}</span> : <When at={at} exact />;
}
