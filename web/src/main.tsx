// zod probes `new Function`, which the content security policy forbids and reports; this must come before any schema.
import './jitless.ts';
import './ui/tokens.css';
import './ui/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';

import { applyUrlParameters } from './lib/url-parameters.ts';
import { setNavigate } from './lib/navigate.ts';
import { createRouter } from './routes.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The address is read and cleaned before the router sees it and before the first request leaves.
void applyUrlParameters();
const router = createRouter();
setNavigate((path) => void router.navigate(path));

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
