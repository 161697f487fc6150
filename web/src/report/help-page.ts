import { createContext, useContext } from 'react';

/** The address of the help page of the report's method; null or empty where there is none, as on a shared page. */
export const HelpPage = createContext<string | null>(null);

export function useHelpPage(): string | null {
  const address = useContext(HelpPage);
  return address === '' ? null : address;
}

/** Tells the help page by which version of the method the report was made. */
export const helpFor = (address: string | null, version: number): string | null =>
  address?.startsWith('/help/') ? `${address}?v=${version}` : address;

/** The part of a help page that says how a result is read. */
export const READING = '#结果解读';
