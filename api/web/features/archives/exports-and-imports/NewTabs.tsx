import { useSearchParams } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';

/**
 * The source of a new project or group: none, or an archive (`?from=archive`); switching keeps the selected namespace.
 */
export function useSource(): { archive: boolean; search: URLSearchParams } {
  const [search] = useSearchParams();
  return { archive: search.get('from') === 'archive', search };
}

/** The ways to make a project or group. */
export function NewTabs({ label }: { label: string }) {
  const { archive, search } = useSource();
  const to = (from: string | null) => {
    const next = new URLSearchParams(search);
    next.delete('from');
    if (from !== null) next.set('from', from);
    return `?${next}`;
  };
  return (
    <LinkTabs
      label="Create from"
      tabs={[
        { to: to(null), label, current: !archive },
        { to: to('archive'), label: 'Import an archive', current: archive },
      ]}
    />
  );
}
