/** `refs/heads/main` as people say it. */
export const formatRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export const isTag = (ref: string): boolean => ref.startsWith('refs/tags/');
