import type { Client } from '../../core/client.js';

/** Commits a configuration to `main` over the API. @returns the commit */
export async function writeConfiguration(
  client: Client,
  { id }: { id: number },
  content: string,
  message = 'Configuration',
): Promise<string> {
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content }];
  const commit = { branch: 'main', commit_message: message, actions };
  const { status, body, text } = await client.post(`/projects/${id}/repository/commits`, commit);
  if (status !== 201) throw new Error(`The file was not written: ${text}`);
  return body.id as string;
}
