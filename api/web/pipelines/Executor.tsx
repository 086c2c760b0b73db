/** Says how the work of pipelines that wait is done: this service starts them, and programs elsewhere do their jobs. */
export function Executor({ projectId }: { projectId: number | null }) {
  const status = `POST /api/v4/projects/${projectId ?? ':id'}/statuses/<sha>`;
  return (
    <p>
      A pipeline waits until something does its work: this service starts pipelines on time and keeps what became of
      them, and has no executor of its own. Connect one: a program that reads pipelines with{' '}
      <code>GET /api/v4/projects/{projectId ?? ':id'}/pipelines?status=pending</code> and tells what became of each of
      its jobs with <code>{status}</code>, as described in the{' '}
      <a href="/-/api-docs#/Commit%20statuses">API reference</a>.
    </p>
  );
}
