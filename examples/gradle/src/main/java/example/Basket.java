package example;

import java.util.LinkedHashMap;
import java.util.Map;

/** What somebody wants to buy: articles with their numbers. */
public class Basket {
    private final Map<String, Integer> articles = new LinkedHashMap<>();

    /** Puts articles in. */
    public void put(String article, int number) {
        if (number <= 0) {
            throw new IllegalArgumentException("at least one");
        }
        articles.merge(article, number, Integer::sum);
    }

    /** Takes articles out. Says whether there were as many. */
    public boolean take(String article, int number) {
        int left = articles.getOrDefault(article, 0) - number;
        if (left < 0) {
            return false;
        }
        if (left == 0) {
            articles.remove(article);
        } else {
            articles.put(article, left);
        }
        return true;
    }
}
