import { HelpLink } from '../../../app/shell/HelpLink.js';
import { Code } from '../../../ui/Code.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import styles from './Executor.module.css';

/** Explains how pending pipelines are processed: this service starts them, and external runners execute their jobs. */
export function Executor({ projectId }: { projectId: number | null }) {
  const of = `${window.location.origin}/api/v4/projects/${projectId ?? ':id'}`;
  return (
    <details className={styles.executor}>
      <summary>Waiting for an executor? Connect one</summary>
      <p>
        This pipeline was created without a configuration file, so no runner takes its jobs. Your own executor runs and
        reports them, using an access token with the api scope. To have runners do it, add a .gitlab-ci.yml to the
        repository: the next pipeline follows it.
      </p>
      <ol className={styles.steps}>
        <Step
          instruction="List pending pipelines:"
          command={`curl --header "PRIVATE-TOKEN: $TOKEN" "${of}/pipelines?status=pending"`}
        />
        <Step
          instruction="Run each job and report its status (running, success, failed or canceled):"
          command={`curl --header "PRIVATE-TOKEN: $TOKEN" --data "state=running" --data "name=test" --data "pipeline_id=$PIPELINE" "${of}/statuses/$SHA"`}
        />
      </ol>
      <p>
        The pipeline starts with its first job and finishes with its last. See the{' '}
        <a href="/-/api-docs#/Commit%20statuses">API reference</a>.{' '}
        <HelpLink page="pipelines" section="connect-an-executor" />
      </p>
    </details>
  );
}

function Step({ instruction, command }: { instruction: string; command: string }) {
  return (
    <li>
      <p>{instruction}</p>
      <Code label={instruction.slice(0, -1)}>{command}</Code>
      <CopyButton text={command} label="Copy command" quiet />
    </li>
  );
}
