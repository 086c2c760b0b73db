import { useSearchParams } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';

/** What a new project or group is made of: nothing, or an archive (`?from=archive`); where it is to lie stays. */
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
      label="Made of"
      tabs={[
        { to: to(null), label, current: !archive },
        { to: to('archive'), label: 'Import an archive', current: archive },
      ]}
    />
  );
}
