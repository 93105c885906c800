// The strings of the map of sentences, which load with it.

import type { Language } from "../strings.ts";
import { type Format, format } from "./format.ts";

const en = ({ number, percent, count, list }: Format) => ({
  label: "Map of the sentences",
  byWords: "Sentences with the same words stand near each other.",
  byMeaning: "Sentences that mean the same stand near each other.",
  share: (share: number) => `A plane cannot show more than ${percent(share)} of all differences.`,
  some: (shown: number, all: number) => `${number(shown)} of ${number(all)} sentences are shown, among them all that are quoted.`,
  keys: "Arrow keys go to the next sentence in their direction, Page Up and Page Down to the quoted ones, Enter shows the sentence in its document.",
  hint: "Point at a sentence to read it; click to see it in its document.",
  quoted: "quoted",
  document: (n: number) => `Document ${number(n)}`,
  place: (document: number, n: number, all: number, quoted: boolean) => `Document ${number(document)}, sentence ${number(n)} of ${number(all)}${quoted ? ", quoted" : ""}`,
  inWords: "The map in words",
  line: (sentences: number, quoted: number) => `${count(sentences, { one: "sentence", other: "sentences" })}, ${number(quoted)} quoted`,
  nearest: (titles: string[]) => `nearest: ${list(titles)}`,
  few: "There are too few sentences for a map.",
  failed: "The map could not be drawn.",
});

type Strings = ReturnType<typeof en>;

/** The tables by themselves. */
export const tables: Record<Language, (f: Format) => Strings> = {
  en,
  es: ({ number, percent, count, list }) => ({
    label: "Mapa de las frases",
    byWords: "Las frases con las mismas palabras están cerca unas de otras.",
    byMeaning: "Las frases que significan lo mismo están cerca unas de otras.",
    share: (share) => `Un plano no puede mostrar más del ${percent(share)} de todas las diferencias.`,
    some: (shown, all) => `Se muestran ${number(shown)} de ${number(all)} frases, entre ellas todas las citadas.`,
    keys: "Las flechas van a la frase siguiente en su dirección, Re Pág y Av Pág a las citadas, Intro muestra la frase en su documento.",
    hint: "Señale una frase para leerla; haga clic para verla en su documento.",
    quoted: "citada",
    document: (n) => `Documento ${number(n)}`,
    place: (document, n, all, quoted) => `Documento ${number(document)}, frase ${number(n)} de ${number(all)}${quoted ? ", citada" : ""}`,
    inWords: "El mapa en palabras",
    line: (sentences, quoted) => `${count(sentences, { one: "frase", other: "frases" })}, ${count(quoted, { one: "citada", other: "citadas" })}`,
    nearest: (titles) => `más cerca: ${list(titles)}`,
    few: "Hay muy pocas frases para un mapa.",
    failed: "No se pudo dibujar el mapa.",
  }),
  fr: ({ number, percent, count, list }) => ({
    label: "Carte des phrases",
    byWords: "Les phrases qui ont les mêmes mots sont proches les unes des autres.",
    byMeaning: "Les phrases qui disent la même chose sont proches les unes des autres.",
    share: (share) => `Un plan ne peut montrer plus de ${percent(share)} de toutes les différences.`,
    some: (shown, all) => `${number(shown)} phrases sur ${number(all)} sont montrées, dont toutes celles qui sont citées.`,
    keys: "Les flèches vont à la phrase suivante dans leur direction, Page préc. et Page suiv. aux phrases citées, Entrée montre la phrase dans son document.",
    hint: "Pointez une phrase pour la lire ; cliquez pour la voir dans son document.",
    quoted: "citée",
    document: (n) => `Document ${number(n)}`,
    place: (document, n, all, quoted) => `Document ${number(document)}, phrase ${number(n)} sur ${number(all)}${quoted ? ", citée" : ""}`,
    inWords: "La carte en mots",
    line: (sentences, quoted) => `${count(sentences, { one: "phrase", other: "phrases" })}, ${count(quoted, { one: "citée", other: "citées" })}`,
    nearest: (titles) => `le plus proche : ${list(titles)}`,
    few: "Il y a trop peu de phrases pour une carte.",
    failed: "La carte n’a pas pu être dessinée.",
  }),
  pt: ({ number, percent, count, list }) => ({
    label: "Mapa das frases",
    byWords: "Frases com as mesmas palavras ficam perto umas das outras.",
    byMeaning: "Frases que dizem o mesmo ficam perto umas das outras.",
    share: (share) => `Um plano não pode mostrar mais de ${percent(share)} de todas as diferenças.`,
    some: (shown, all) => `São mostradas ${number(shown)} de ${number(all)} frases, entre elas todas as citadas.`,
    keys: "As setas vão à próxima frase na sua direção, Page Up e Page Down às citadas, Enter mostra a frase no seu documento.",
    hint: "Aponte para uma frase para a ler; clique para a ver no seu documento.",
    quoted: "citada",
    document: (n) => `Documento ${number(n)}`,
    place: (document, n, all, quoted) => `Documento ${number(document)}, frase ${number(n)} de ${number(all)}${quoted ? ", citada" : ""}`,
    inWords: "O mapa em palavras",
    line: (sentences, quoted) => `${count(sentences, { one: "frase", other: "frases" })}, ${count(quoted, { one: "citada", other: "citadas" })}`,
    nearest: (titles) => `mais perto: ${list(titles)}`,
    few: "Há frases de menos para um mapa.",
    failed: "Não foi possível desenhar o mapa.",
  }),
};

/** `locale` is what the page speaks now. */
export const strings = (locale: string): Strings => tables[locale as Language](format(locale, ""));
