import type { Client } from '../core/client.js';
import { eventually } from '../core/processes.js';
import type { StartedService } from '../core/processes.js';
import { unique } from '../core/builders.js';

/** How long jobs of the suite may take on a busy machine, in seconds. */
const JOB_SECONDS = 50;

/** A job as REST answers it. */
export interface SuiteJob {
  id: number;
  name: string;
  status: string;
  failure_reason?: string;
}

const FINAL = ['success', 'failed', 'canceled', 'skipped'];

/** A project of the suite, whose pipelines come from a file. */
export class SuiteProject {
  private constructor(
    readonly service: StartedService,
    readonly root: Client,
    readonly id: number,
  ) {}

  /** Makes a project, with a file of a pipeline on its default branch. */
  static async make(service: StartedService, file: string): Promise<SuiteProject> {
    const { root } = service;
    const name = `runs-${unique()}`;
    const { body } = await must(root.post('/projects', { name, initialize_with_readme: true }));
    const project = new SuiteProject(service, root, body.id as number);
    await project.commit({ '.gitlab-ci.yml': file });
    return project;
  }

  /** Commits files to a branch, which is made from the default one where it is new. */
  async commit(files: Record<string, string>, branch = 'main'): Promise<void> {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }));
    const start = branch === 'main' ? {} : { start_branch: 'main' };
    const body = { branch, commit_message: `Add ${Object.keys(files).join(', ')} [skip ci]`, actions, ...start };
    await must(this.root.post(`/projects/${this.id}/repository/commits`, body));
  }

  /** Makes a runner of this project. @returns its token */
  async addRunner(): Promise<string> {
    const body = { runner_type: 'project_type', project_id: this.id, run_untagged: true };
    return (await must(this.root.post('/user/runners', body))).body.token as string;
  }

  /** Runs a pipeline of a branch. @returns its id */
  async run(ref = 'main', variables: Record<string, string> = {}): Promise<number> {
    const list = Object.entries(variables).map(([key, value]) => ({ key, value }));
    return (await must(this.root.post(`/projects/${this.id}/pipeline`, { ref, variables: list }))).body.id as number;
  }

  async jobs(pipeline: number, query = ''): Promise<SuiteJob[]> {
    return (await must(this.root.get(`/projects/${this.id}/pipelines/${pipeline}/jobs${query}`))).body as SuiteJob[];
  }

  async log(job: number): Promise<string> {
    return (await this.root.get(`/projects/${this.id}/jobs/${job}/trace`)).text;
  }

  /** The first job of a pipeline with a name, once something holds of it. */
  job(pipeline: number, name: string, holds: (job: SuiteJob) => boolean | Promise<boolean>): Promise<SuiteJob> {
    return eventually(async () => {
      const job = (await this.jobs(pipeline)).find((each) => each.name === name);
      return job !== undefined && (await holds(job)) && job;
    }, JOB_SECONDS);
  }

  /** A job at its end, with its log. */
  async end(pipeline: number, name: string): Promise<SuiteJob & { log: string }> {
    const job = await this.job(pipeline, name, ({ status }) => FINAL.includes(status));
    return { ...job, log: await this.log(job.id) };
  }

  /** The status of a pipeline at its end, which follows that of its last job. */
  endOfPipeline(pipeline: number): Promise<string> {
    return eventually(async () => {
      const { body } = await must(this.root.get(`/projects/${this.id}/pipelines/${pipeline}`));
      return FINAL.includes(body.status as string) && (body.status as string);
    }, JOB_SECONDS);
  }

  /** A running job whose log holds a line. */
  running(pipeline: number, name: string, line: string): Promise<SuiteJob> {
    return this.job(
      pipeline,
      name,
      async ({ id, status }) => status === 'running' && (await this.log(id)).includes(`\n${line}\n`),
    );
  }
}

/** An answer that must be no refusal. */
export async function must<A extends { status: number; text: string }>(answer: Promise<A>): Promise<A> {
  const { status, text } = await answer;
  if (status >= 400) throw new Error(`${status}: ${text}`);
  return answer;
}
