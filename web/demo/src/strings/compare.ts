// The strings of the view that sets two methods side by side, which loads
// with it.

import type { Language } from "../strings.ts";
import { type Format, format } from "./format.ts";

const en = ({ number, count }: Format) => ({
  title: "Two methods side by side",
  more: "The same documents, length and order. What both quote is marked.",
  close: "Close",
  first: "First method",
  second: "Second method",
  inBoth: "in both",
  common: (n: number) => (n === 0 ? "The two quote no sentence in common." : `The two have ${count(n, { one: "sentence", other: "sentences" })} in common.`),
  working: "Summarizing…",
  show: "Shows the sentence in its document.",
  measure: "Measure them against a summary of yours",
  reference: "Your summary",
  referenceMore: "Paste or write what a good summary would say. It stays on this page.",
  rouge: "ROUGE in percent",
  recall: "recall",
  f: "F",
  better: "the higher one",
  explain: "ROUGE counts what the quotes share with your summary: single words (1), pairs of words (2), words in the same order (L). Recall is the share of your summary that the quotes have; F goes down with what they say besides. Words are compared as they are written.",
  noWords: "There is no word in it yet.",
  tooLong: (most: number) => `A sentence has more than ${number(most)} words: give each sentence an end.`,
});

type Strings = ReturnType<typeof en>;

/** The tables by themselves. */
export const tables: Record<Language, (f: Format) => Strings> = {
  en,
  es: ({ number, count }) => ({
    title: "Dos métodos frente a frente",
    more: "Los mismos documentos, extensión y orden. Lo que ambos citan está marcado.",
    close: "Cerrar",
    first: "Primer método",
    second: "Segundo método",
    inBoth: "en ambos",
    common: (n) => (n === 0 ? "Ambos no citan ninguna frase en común." : `Ambos tienen ${count(n, { one: "frase", other: "frases" })} en común.`),
    working: "Resumiendo…",
    show: "Muestra la frase en su documento.",
    measure: "Medirlos con un resumen suyo",
    reference: "Su resumen",
    referenceMore: "Pegue o escriba lo que diría un buen resumen. No sale de esta página.",
    rouge: "ROUGE en porcentaje",
    recall: "exhaustividad",
    f: "F",
    better: "el mayor",
    explain: "ROUGE cuenta lo que las citas comparten con su resumen: palabras sueltas (1), pares de palabras (2), palabras en el mismo orden (L). La exhaustividad es la parte de su resumen que está en las citas; F baja con lo que dicen además. Las palabras se comparan tal como están escritas.",
    noWords: "Todavía no contiene ninguna palabra.",
    tooLong: (most) => `Una frase tiene más de ${number(most)} palabras: ponga fin a cada frase.`,
  }),
  fr: ({ number, count }) => ({
    title: "Deux méthodes côte à côte",
    more: "Les mêmes documents, la même longueur, le même ordre. Ce que les deux citent est marqué.",
    close: "Fermer",
    first: "Première méthode",
    second: "Seconde méthode",
    inBoth: "dans les deux",
    common: (n) => (n === 0 ? "Les deux n’ont aucune phrase en commun." : `Les deux ont ${count(n, { one: "phrase", other: "phrases" })} en commun.`),
    working: "Résumé en cours…",
    show: "Montre la phrase dans son document.",
    measure: "Les mesurer à un résumé de vous",
    reference: "Votre résumé",
    referenceMore: "Collez ou écrivez ce que dirait un bon résumé. Il reste sur cette page.",
    rouge: "ROUGE en pour cent",
    recall: "rappel",
    f: "F",
    better: "le plus élevé",
    explain: "ROUGE compte ce que les citations ont en commun avec votre résumé : mots isolés (1), paires de mots (2), mots dans le même ordre (L). Le rappel est la part de votre résumé qui se trouve dans les citations ; F baisse avec ce qu’elles disent en plus. Les mots sont comparés tels qu’ils sont écrits.",
    noWords: "Il ne contient encore aucun mot.",
    tooLong: (most) => `Une phrase a plus de ${number(most)} mots : donnez une fin à chaque phrase.`,
  }),
  pt: ({ number, count }) => ({
    title: "Dois métodos lado a lado",
    more: "Os mesmos documentos, extensão e ordem. O que ambos citam está marcado.",
    close: "Fechar",
    first: "Primeiro método",
    second: "Segundo método",
    inBoth: "em ambos",
    common: (n) => (n === 0 ? "Os dois não citam nenhuma frase em comum." : `Os dois têm ${count(n, { one: "frase", other: "frases" })} em comum.`),
    working: "A resumir…",
    show: "Mostra a frase no seu documento.",
    measure: "Medi-los com um resumo seu",
    reference: "O seu resumo",
    referenceMore: "Cole ou escreva o que diria um bom resumo. Ele não sai desta página.",
    rouge: "ROUGE em percentagem",
    recall: "cobertura",
    f: "F",
    better: "o maior",
    explain: "O ROUGE conta o que as citações partilham com o seu resumo: palavras soltas (1), pares de palavras (2), palavras na mesma ordem (L). A cobertura é a parte do seu resumo que está nas citações; F desce com o que elas dizem a mais. As palavras são comparadas tal como estão escritas.",
    noWords: "Ainda não há nenhuma palavra nele.",
    tooLong: (most) => `Uma frase tem mais de ${number(most)} palavras: dê um fim a cada frase.`,
  }),
};

/** `locale` is what the page speaks now. */
export const strings = (locale: string): Strings & { tenths(share: number): string } => {
  const percents = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return { ...tables[locale as Language](format(locale, "")), tenths: (share) => percents.format(100 * share) };
};
