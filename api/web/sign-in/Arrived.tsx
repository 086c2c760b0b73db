import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { pages } from '../pages.mjs';

/**
 * Leads a signed-in person on. A page of this bundle is shown at once; anything else of this service, such as an
 * application's request for consent, is for the server to answer.
 * @param at as the service said it, which lets through its own paths alone; null for home
 */
export function Arrived({ at }: { at: string | null }) {
  const navigate = useNavigate();
  useEffect(() => {
    const target = new URL(at ?? '/', location.origin);
    // Asked again here, where it is used: what leads elsewhere leads home.
    const own = target.origin === location.origin ? target : new URL('/', location.origin);
    const path = own.pathname + own.search + own.hash;
    if (pages.includes(own.pathname)) void navigate(path, { replace: true });
    else location.replace(path);
  }, [at, navigate]);
  return null;
}
