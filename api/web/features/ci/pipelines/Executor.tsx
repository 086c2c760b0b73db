import { HelpLink } from '../../../app/shell/HelpLink.js';
import { Code } from '../../../ui/Code.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import styles from './Executor.module.css';

/** Explains how pending pipelines are processed: this service starts them, and external runners execute their jobs. */
export function Executor({ projectId }: { projectId: number | null }) {
  const of = `${window.location.origin}/api/v4/projects/${projectId ?? ':id'}`;
  return (
    <details className={styles.executor}>
      <summary>Waiting for an executor: how to connect one</summary>
      <p>
        This service starts pipelines on time and keeps what became of them. It runs no jobs itself: a program of yours
        does, wherever it runs, with an access token of the scope api.
      </p>
      <ol className={styles.steps}>
        <Step
          instruction="It looks for pipelines that wait:"
          command={`curl --header "PRIVATE-TOKEN: $TOKEN" "${of}/pipelines?status=pending"`}
        />
        <Step
          instruction="It does the work, and tells of each job as it begins and ends (running, success, failed or canceled):"
          command={`curl --header "PRIVATE-TOKEN: $TOKEN" --data "state=running" --data "name=test" --data "pipeline_id=$PIPELINE" "${of}/statuses/$SHA"`}
        />
      </ol>
      <p>
        The pipeline follows its jobs: it runs with the first and ends with the last. All of it is in the{' '}
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
      <CopyButton text={command} label="Copy the command" quiet />
    </li>
  );
}
