import type { TOKEN_SCOPES } from './create-token.js';

type Scope = (typeof TOKEN_SCOPES)[number];

/** What a scope opens, in words for whoever is asked to give it. */
export const SCOPE_WORDS: Record<Scope, string> = {
  api: 'Read and change everything that you can read and change.',
  read_api: 'Read everything that you can read.',
  read_user: 'Read your profile and those of other users.',
  read_repository: 'Read the files and history of your projects.',
  write_repository: 'Read and change the files and history of your projects.',
  read_registry: 'Read container images of your projects.',
  write_registry: 'Read and change container images of your projects.',
  read_virtual_registry: 'Read images through virtual registries.',
  write_virtual_registry: 'Read and change images through virtual registries.',
  sudo: 'Act as any other user, if you are an administrator.',
  admin_mode: 'Use your rights as administrator.',
  create_runner: 'Create runners.',
  manage_runner: 'Manage runners.',
  ai_features: 'Use AI features.',
  k8s_proxy: 'Reach clusters through the proxy.',
  self_rotate: 'Replace its own token.',
};
