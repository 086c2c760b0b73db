import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

/** As the service takes it. */
export const LONGEST_SEARCH = 200;

/** How long somebody pauses before what they typed is searched for. */
const PAUSE_MS = 150;

/** What is searched for: it shows at once and the address follows as `?search=`; `search` is it once nothing more follows for a moment. */
export function useSearch(): { typed: string; search: string; type: (value: string) => void } {
  const [params, setParams] = useSearchParams();
  const typed = params.get('search') ?? '';
  const [search, settle] = useState(typed.trim());
  useEffect(() => {
    const timer = setTimeout(() => settle(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const type = (value: string) => setParams(value === '' ? {} : { search: value }, { replace: true });
  return { typed, search, type };
}
