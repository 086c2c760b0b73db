import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../../../data/problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { explanationQuery } from './queries.js';
import type { Explanation, Pipeline } from './queries.js';
import { RuleList } from './RuleList.js';

/** Why a pipeline has its jobs and not others: the files, the workflow rules, and the rules of each job. */
export function PipelineExplanation({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  const { data, error, refetch } = useQuery(explanationQuery(path, pipeline.id));
  if (error instanceof ApiProblem && error.status === 404)
    return <Empty>The explanation is no longer kept: it is deleted after 30 days.</Empty>;
  if (error && !data) return <LoadError what="The explanation" error={error} retry={() => void refetch()} />;
  if (!data) return <LoadingRows label="Loading the explanation" rows={4} />;
  return (
    <>
      <Files explanation={data} />
      {data.workflow.length > 0 && (
        <Section title="Workflow rules">
          <RuleList rules={data.workflow} />
        </Section>
      )}
      {data.shortened && (
        <p>The rules of the jobs are not shown, since all of them together are too long to be kept.</p>
      )}
      {data.jobs.length > 0 && (
        <Section title="Jobs in this pipeline">
          <Table
            caption="Jobs in this pipeline"
            rows={data.jobs}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Job', cell: ({ name }) => name },
              {
                title: 'Reason',
                cell: ({ explanation }) =>
                  explanation.length === 0 ? 'It has no rules.' : <RuleList rules={explanation} />,
              },
            ]}
          />
        </Section>
      )}
      {data.excluded.length > 0 && (
        <Section title="Jobs that were not added">
          <Table
            caption="Jobs that were not added"
            rows={data.excluded}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Job', cell: ({ name }) => name },
              {
                title: 'Reason',
                cell: ({ why, explanation }) => (
                  <>
                    <UnbrokenText>{why}</UnbrokenText>
                    <RuleList rules={explanation} />
                  </>
                ),
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function Files({ explanation: { configuration, includes, errors, warnings } }: { explanation: Explanation }) {
  const findings = [
    ...errors.map(({ message }) => ({ kind: 'Error', message })),
    ...warnings.map(({ message }) => ({ kind: 'Warning', message })),
  ];
  return (
    <>
      <p>
        The jobs come from <code>{configuration.path}</code>
        {includes.length > 0 &&
          ` and ${includes.length === 1 ? 'one file' : `${includes.length} files`} that it includes`}
        , as of the pipeline's commit.
      </p>
      {findings.length > 0 && (
        <Table
          caption="Errors and warnings"
          rows={findings}
          keyOf={({ message }) => message}
          columns={[
            { title: 'Kind', cell: ({ kind }) => kind },
            { title: 'Message', cell: ({ message }) => message },
          ]}
        />
      )}
    </>
  );
}
