import rows from '../../../ui/Rows.module.css';
import { Section } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './PipelineEditor.module.css';
import type { LintedJob, LintReport } from './queries.js';
import { groupByStage } from './stages.js';

const SHORT_WHEN: Readonly<Record<string, string>> = {
  manual: 'manual',
  delayed: 'delayed',
  always: 'always',
  on_failure: 'on failure',
  never: 'never',
};

/** What a job does differently from most: its condition, failure and dependencies. */
function describeJob({ when, allow_failure: mayFail, environment, needs }: LintedJob): string {
  const names = (needs ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return [
    SHORT_WHEN[when],
    mayFail ? 'allowed to fail' : undefined,
    environment === null ? undefined : `deploys to ${environment}`,
    names.length > 0 ? `needs ${names.join(', ')}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** The jobs of a valid configuration, stage by stage. */
export function JobsByStage({ report }: { report: LintReport }) {
  const stages = groupByStage(report);
  if (stages.length === 0) return null;
  return (
    <Section title="Jobs by stage">
      <div className={styles.stages}>
        {stages.map(({ stage, jobs }) => (
          <section key={stage} className={styles.stage} aria-label={`Stage ${stage}`}>
            <h3>
              <UnbrokenText>{stage}</UnbrokenText>
            </h3>
            <ul>
              {jobs.map((job) => (
                <li key={job.name}>
                  <UnbrokenText>{job.name}</UnbrokenText>
                  <span className={rows.quiet}>
                    <UnbrokenText>{describeJob(job)}</UnbrokenText>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Section>
  );
}
