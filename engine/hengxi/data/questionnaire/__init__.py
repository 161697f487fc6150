"""What exports of questionnaire platforms have in common: headings, joined answers, codes of skipped items."""
