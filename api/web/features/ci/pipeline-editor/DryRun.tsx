import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Problem } from '../../../app/problems/Problem.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { RuleList } from '../pipelines/index.js';
import { FindingList, LintStatus } from './LintStatus.js';
import styles from './PipelineEditor.module.css';
import { DRY_RUN_SOURCES, lintReportQuery } from './queries.js';
import type { DryRunSource, ExcludedCiJob, LintReport } from './queries.js';
import { groupByStage } from './stages.js';

const SOURCE_LABELS: Readonly<Record<DryRunSource, string>> = {
  push: 'Push',
  schedule: 'Schedule',
  web: 'Web',
  api: 'API',
};

interface DryRunProps {
  path: string;
  branch: string | null;
  /** null checks the file on the branch. */
  content: string | null;
}

/** The jobs of a pipeline that a source would create now, and those that rules exclude. Nothing is created. */
export function DryRun({ path, branch, content }: DryRunProps) {
  const [search, setSearch] = useSearchParams();
  const source = DRY_RUN_SOURCES.find((one) => one === search.get('source')) ?? 'push';
  const { data, error, isFetching, refetch } = useQuery({
    ...lintReportQuery(path, { branch, content, source }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className={styles.note}>
        Simulates the creation of a pipeline for {branch === null ? 'the default branch' : <code>{branch}</code>} with{' '}
        {content === null ? 'the file on the branch' : 'the text in the editor'}. Rules are evaluated, but no pipeline
        is created.
      </p>
      <Select
        label="Pipeline source"
        name="source"
        choices={DRY_RUN_SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
        value={source}
        onChoose={(value) =>
          setSearch(
            (before) => {
              before.set('source', value);
              return before;
            },
            { replace: true },
          )
        }
      />
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      {!error && !data && <LoadingRows label="Simulating the pipeline" rows={4} />}
      {data && <DryRunReport report={data} isChecking={isFetching} />}
    </>
  );
}

function DryRunReport({ report, isChecking }: { report: LintReport; isChecking: boolean }) {
  const jobs = groupByStage(report).flatMap((group) => group.jobs);
  return (
    <>
      <LintStatus report={report} isChecking={isChecking} />
      <FindingList findings={report.problems} />
      <Section title="Jobs that would run">
        {jobs.length === 0 ? (
          <Empty>No jobs would run.</Empty>
        ) : (
          <Table
            caption="Jobs that would run"
            rows={jobs}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Job', cell: ({ name }) => name },
              { title: 'Stage', cell: ({ stage }) => stage },
              { title: 'When', cell: ({ when }) => when.replaceAll('_', ' ') },
              { title: 'Failure', cell: ({ allow_failure: mayFail }) => (mayFail ? 'allowed' : 'not allowed') },
            ]}
          />
        )}
      </Section>
      {report.excluded.length > 0 && (
        <Section title="Excluded jobs">
          <Table
            caption="Excluded jobs"
            rows={report.excluded}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Job', cell: ({ name }) => name },
              { title: 'Reason', cell: (job) => <Reason job={job} /> },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function Reason({ job: { why, explanation } }: { job: ExcludedCiJob }) {
  return (
    <>
      <UnbrokenText>{why}</UnbrokenText>
      <RuleList rules={explanation} />
    </>
  );
}
